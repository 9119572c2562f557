/** Groups of processes that the Yao engine has built in, and `ctx` for what it gives to scripts. */
const engineGroups =
  'agent aigcs api attachment charts crypto ctx diff encoding excel ffmpeg flows forms fs http job json ' +
  'kb lists llm llmprovider mcpclient model models neo oauth office openai otp pdf pipe pipes plugins ' +
  'robot rss schedules schemas seeds session setting sitemap ssl stores studio sui tables tasks text ' +
  'tools user utils widget widgets xiang yao'
const knownGroups = new Set(engineGroups.split(' '))

export function isEngineService(name: string): boolean {
  const [group = '', ...rest] = name.split('.')
  return rest.length > 0 && knownGroups.has(group.toLowerCase())
}

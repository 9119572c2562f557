/** Groups of processes that the Yao engine brings with it, and `ctx` for what it gives to scripts there. */
const engineGroups =
  'aigcs charts crypto ctx encoding excel flows forms fs http kb lists models neo oauth openai pipes plugins robot ' +
  'schedules schemas session ssl stores sui tables tasks utils widgets xiang yao'
const known = new Set(engineGroups.split(' '))

export function isEngineService(name: string): boolean {
  const [group = '', ...rest] = name.split('.')
  return rest.length > 0 && known.has(group.toLowerCase())
}

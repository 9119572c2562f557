/** The Yao engine ignores upper and lower case in `http.get`. */
export function canonicalProcessName(name: string): string {
  const [, method = ''] = /^http\.(\w+)$/i.exec(name) ?? []
  if (method === '') return name
  return `http.${method.charAt(0).toUpperCase()}${method.slice(1).toLowerCase()}`
}

/** `1 case`, `3 cases`; `1 retry`, `2 retries`. */
export function pluralize(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

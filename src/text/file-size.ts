/** `812 B`, `1.2 kB`, `3.4 MB`. */
export function shortSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

import { useState } from 'preact/hooks'

type Theme = 'light' | 'dark'

/** The theme is remembered only while the page is open: a file cannot store it. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )
  const other = theme === 'dark' ? 'light' : 'dark'
  const change = () => {
    document.documentElement.dataset.theme = other
    setTheme(other)
  }
  return (
    <button type="button" class="quiet" onClick={change}>
      {other === 'dark' ? 'Dark' : 'Light'}
    </button>
  )
}

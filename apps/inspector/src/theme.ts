import { effect, signal } from '@preact/signals'

const NAME = 'inspector-theme'

/** What a person chose; `auto`: as the system has it. */
export const theme = signal<'auto' | 'light' | 'dark'>(stored())

/** Goes on to the next theme. */
export function turnTheme(): void {
  theme.value = theme.value === 'auto' ? 'light' : theme.value === 'light' ? 'dark' : 'auto'
}

effect(() => {
  const { documentElement } = document
  if (theme.value === 'auto') documentElement.removeAttribute('data-theme')
  else documentElement.setAttribute('data-theme', theme.value)
  try {
    localStorage.setItem(NAME, theme.value)
  } catch {
    // A page from a file may have no storage.
  }
  documentElement.dispatchEvent(new Event('themechange'))
})

function stored(): 'auto' | 'light' | 'dark' {
  try {
    const value = localStorage.getItem(NAME)
    return value === 'light' || value === 'dark' ? value : 'auto'
  } catch {
    return 'auto'
  }
}

const NAME = 'inspector-key'

takeKey()
addEventListener('hashchange', () => {
  if (takeKey()) location.reload()
})

/** The key that the command wants with every request; empty if this page has none. */
export function keyOfCommand(): string {
  return sessionStorage.getItem(NAME) ?? ''
}

/** Takes the key out of the address at once, so that no link, history or picture holds it. It stays in this tab. */
function takeKey(): boolean {
  const match = /^#key=([\w-]+)$/.exec(location.hash)
  if (match === null || !location.protocol.startsWith('http')) return false
  sessionStorage.setItem(NAME, match[1] ?? '')
  history.replaceState(null, '', location.pathname)
  return true
}

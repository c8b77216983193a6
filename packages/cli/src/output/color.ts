/**
 * Whether a stream supports colours: a terminal that is not `dumb` does. `NO_COLOR` (any value) disables them,
 * `FORCE_COLOR` (any value but `0` and `false`) enables them, and `NO_COLOR` takes precedence.
 */
export function colorsWanted(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: term } = env
  if (no !== '' || force === '0' || force === 'false') return false
  return force !== '' || (isTerminal && term !== 'dumb')
}

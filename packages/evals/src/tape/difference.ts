const AROUND = 40

/** Returns the first difference of two JSON values, for a person: where, and what is on the tape and in the request. */
export function difference(tape: unknown, now: unknown): string | undefined {
  const before = leaves(tape)
  const after = leaves(now)
  const where = [...before.keys(), ...after.keys()].find((each) => before.get(each) !== after.get(each))
  if (where === undefined) return undefined
  const [one = 'nothing', other = 'nothing'] = [before.get(where), after.get(where)]
  let same = 0
  while (one[same] === other[same]) same++
  return `${where.slice(1)} differs. On the tape: ${around(one, same)}. Now: ${around(other, same)}`
}

/** Returns the texts, numbers and flags of a value, and what is empty, as JSON by their paths: `.tools[0].name`. */
function leaves(value: unknown, at = ''): ReadonlyMap<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0) return new Map([[at, JSON.stringify(value)]])
  const inside = (key: string): string =>
    Array.isArray(value) ? `${at}[${key}]` : /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`
  return new Map(entries.flatMap(([key, each]) => [...leaves(each, inside(key))]))
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - AROUND)
  const to = at + AROUND
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

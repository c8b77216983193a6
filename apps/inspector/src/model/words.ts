/** A count with its noun: `1 skill`, `3 skills`. */
export function count(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/** A number with thin groups: `12,345`. */
export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A duration: `12 ms`, `3.4 s`. */
export function duration(ms: number): string {
  return ms < 1_000
    ? `${Math.round(ms)} ms`
    : ms < 60_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${(ms / 60_000).toFixed(1)} min`
}

/** A value as JSON. Events hold `\u{A}` for a line break, and that stays as it is. */
export function jsonText(value: unknown, space?: number): string {
  return (JSON.stringify(value, null, space) ?? '').replaceAll(String.raw`\\u{`, String.raw`\u{`)
}

/** Milliseconds, with the digits that mean something. */
export function ms(value: number): string {
  return value >= 1000 ? grouped(value) : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

/** A ratio: `2.4×`. */
export function times(value: number): string {
  return `${value >= 100 ? grouped(value) : value.toFixed(value >= 10 ? 1 : 2)}×`
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(bytes >= 10_000 ? 0 : 2)} kB`
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

/** A share in percent that never rounds up to all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = (100 * part) / whole
  return part === whole ? '100 %' : `${Math.min(share, 99.9).toFixed(1)} %`
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en')
}

import { padTo, widthOf } from 'repertoire/terminal'

/** Shows milliseconds with the digits that mean something: `12.3 ms`, `4.5 µs`. */
export function duration(milliseconds: number): string {
  const isShort = Math.abs(milliseconds) < 1
  const value = isShort ? 1_000 * milliseconds : milliseconds
  return `${digits(value)} ${isShort ? 'µs' : 'ms'}`
}

/** Shows a ratio: `2.40×`. */
export function times(value: number): string {
  return `${digits(value)}×`
}

export function bytes(value: number): string {
  return `${grouped(value)} bytes`
}

/** Returns how figures of a unit are shown. Default: as milliseconds. */
export function inUnit(unit: 'bytes' | 'tokens' | undefined): (value: number) => string {
  if (unit === undefined) return duration
  return unit === 'bytes' ? bytes : (value) => `${grouped(value)} tokens`
}

/** Shows a share in percent that never rounds up to all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  return part === whole ? '100 %' : `${Math.min((100 * part) / whole, 99.9).toFixed(1)} %`
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Sets columns under their heads: the first flush left, the others flush right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? padTo(cell, width) : ' '.repeat(Math.max(0, width - widthOf(cell))) + cell
      })
      .join('  ')
      .trimEnd()
  return [head, ...rows].map((row) => `  ${line(row)}\n`).join('')
}

function digits(value: number): string {
  const size = Math.abs(value)
  return size >= 1000 ? grouped(value) : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

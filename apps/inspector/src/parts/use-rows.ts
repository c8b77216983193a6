import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../client.ts'
import type { Row } from '../model/timeline.ts'
import { placeAt, rowsVersion, run } from '../state.ts'

/** Rows that are asked for at once. */
const PAGE = 128

/**
 * Returns a function of a row's place in a list that returns the row, or undefined until the worker has written it.
 * Rows are asked for by pages, when they come onto the screen.
 * @param places the places in `rows`, in the order of the list
 */
export function useRows(places: Uint32Array): (index: number) => Row | undefined {
  const [, redraw] = useState(0)
  const version = rowsVersion.value
  const id = run.value?.id ?? ''
  const pages = useRef<{ readonly of: unknown; readonly known: Map<number, readonly (Row | undefined)[]> }>(undefined)
  const asked = useRef(new Set<number>())
  const of = `${id} ${version} ${places.length} ${places[0] ?? ''} ${places.at(-1) ?? ''}`
  if (pages.current?.of !== of) {
    pages.current = { of, known: new Map() }
    asked.current = new Set()
  }
  const { known } = pages.current
  const wanted = useRef(new Set<number>())
  useEffect(() => {
    for (const page of wanted.current) {
      if (asked.current.has(page)) continue
      asked.current.add(page)
      const part = Array.from(places.subarray(page * PAGE, (page + 1) * PAGE), placeAt).flatMap((place) => place ?? [])
      void ask('rowsAt', id, part).then((found) => {
        known.set(page, found)
        redraw((turn) => turn + 1)
      })
    }
    wanted.current = new Set()
  })
  return (index) => {
    const page = Math.floor(index / PAGE)
    const rows = known.get(page)
    if (rows === undefined) wanted.current.add(page)
    return rows?.[index % PAGE]
  }
}

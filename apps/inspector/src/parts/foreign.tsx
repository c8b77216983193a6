import { useState } from 'preact/hooks'
import type { ComponentChild } from 'preact'
import { segmentsOf } from '../model/segments.ts'

/** Characters of one text that are shown at once. */
const MAX_CHARS = 4_000

interface ForeignProps {
  readonly text: string
  /** A block with its own lines, rather than a piece of a line. */
  readonly block?: boolean
}

/** Text of a log: of a skill, a model, a tool or a person. Always text; its invisible characters are chips. */
export function Foreign({ text, block = false }: ForeignProps) {
  const [whole, setWhole] = useState(false)
  const shown = whole || text.length <= MAX_CHARS ? text : text.slice(0, MAX_CHARS)
  const content = segmentsOf(shown, block).map(({ text: piece, chip }, index): ComponentChild =>
    chip === undefined ? (
      piece
    ) : (
      <span key={index} class="chip" title="An invisible character">
        {chip}
      </span>
    ),
  )
  const more = text.length - shown.length
  const button = more > 0 && (
    <button type="button" class="quiet" onClick={() => setWhole(true)}>
      Show {more.toLocaleString('en-US')} more characters
    </button>
  )
  if (!block)
    return (
      <bdi class="foreign">
        {content}
        {button}
      </bdi>
    )
  return (
    <div class="foreign block">
      <bdi>{content}</bdi>
      {button}
    </div>
  )
}

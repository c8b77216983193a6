import { type Fate, FATES } from '../model/skills.ts'

/** Meaning has a colour, a glyph and a word. */
const STATUSES: ReadonlyMap<string, readonly [glyph: string, word: string, tone: string]> = new Map([
  ['ran', ['✓', 'ran', 'good']],
  ['allowed', ['✓', 'allowed', 'good']],
  ['refused', ['✗', 'refused', 'warn']],
  ['against the rules', ['✗', 'against the rules', 'warn']],
  ['failed', ['!', 'failed', 'bad']],
  ['aborted', ['!', 'aborted', 'bad']],
  ['asked', ['?', 'asked', 'info']],
  ['running', ['…', 'running', 'info']],
  ['unjudged', ['–', 'cannot be judged again', 'quiet']],
  ['added', ['+', 'added', 'good']],
  ['removed', ['−', 'removed', 'quiet']],
  ['shown', ['▤', 'shown', 'quiet']],
])

/** What became of a call. */
export function Status({ status, word = true }: { readonly status: string; readonly word?: boolean }) {
  const [glyph, name, tone] = STATUSES.get(status) ?? ['·', status, 'quiet']
  return (
    <span class={`status ${tone}`}>
      <span class="glyph" aria-hidden="true">
        {glyph}
      </span>
      <span class={word ? '' : 'hidden-text'}>{name}</span>
    </span>
  )
}

/** What became of a skill. */
export function FateMark({ fate }: { readonly fate: Fate }) {
  const { glyph, tone, label } = FATES[fate]
  return (
    <span class={`status ${tone}`}>
      <span class="glyph" aria-hidden="true">
        {glyph}
      </span>
      {label}
    </span>
  )
}

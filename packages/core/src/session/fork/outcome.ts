import type { Outcome } from '@repertoire/gate/internal'
import { enclosed, escapeXml, quoteName, showName } from '@repertoire/skill-md/internal'
import { type Refused, refused } from '../refusal.ts'
import type { ForkResult } from '../session.ts'

/**
 * Reads what a fork's runner returned as the outcome of the call that requested the fork.
 * @param maxChars characters of its text that the model is shown
 */
export function forkOutcome(name: string, result: unknown, maxChars: number): Outcome {
  const { text, usage } = typeof result === 'string' ? { text: result } : ((result ?? {}) as Partial<ForkResult>)
  if (typeof text !== 'string') return forkFailed(name, 'it returned no text')
  const end = text.length > maxChars && splitsCharacter(text, maxChars) ? maxChars - 1 : maxChars
  const shown = text.slice(0, end)
  const truncated = shown.length < text.length
  return {
    ok: true,
    value: {
      name,
      forked: true,
      result: shown,
      ...(truncated && { truncated }),
      ...(typeof usage === 'object' && usage !== null && { usage }),
    },
    text: [
      `<skill_result name="${escapeXml(showName(name))}"${truncated ? ' truncated="true"' : ''}>`,
      shown.trim() === '' ? 'The skill ended without a text.' : enclosed(shown).trim(),
      ...(truncated ? [`Cut after ${shown.length} of ${text.length} characters.`] : []),
      '</skill_result>',
    ].join('\n'),
  }
}

/** @param why as the end of a sentence */
export function forkFailed(name: string, why: string): Refused {
  return refused({ code: 'FORK_FAILED', reason: `The skill ${quoteName(name)} ran without a result: ${why}` })
}

/** Whether a cut there would leave half of a character. */
function splitsCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}

import type { Leftover, PlaceProblem, VerifiedSkill } from '@repertoire/library'
import { differencesText, placeLines } from './install-plan.ts'
import type { Paint } from './output.ts'
import { count, visible, visibleName } from './text.ts'

/** The skills of a project compared with its lock, for a person. What is well is counted alone. */
export function verificationText(
  skills: readonly VerifiedSkill[],
  places: readonly PlaceProblem[],
  leftovers: readonly Leftover[],
  { paint }: { readonly paint: Paint },
): string {
  const lines = skills.filter(({ state }) => state !== 'unchanged').map((skill) => skillLine(skill, paint))
  const countOf = (wanted: string): number => skills.filter(({ state }) => state === wanted).length
  const [fine, unlocked] = [countOf('unchanged'), countOf('unlocked')]
  const differing = skills.length - fine - unlocked
  const summary = [
    `${count(fine, 'skill')} ${fine === 1 ? 'matches' : 'match'} the lock`,
    `${differing} ${differing === 1 ? 'differs' : 'differ'}`,
    ...(unlocked === 0 ? [] : [`${unlocked} ${unlocked === 1 ? 'is' : 'are'} not in it`]),
  ].join(', ')
  return `${[...lines, ...placeLines(places, paint.red('✗')), ...leftoverLines(leftovers, paint), summary].join('\n')}\n`
}

function skillLine(skill: VerifiedSkill, paint: Paint): string {
  const mark = skill.state === 'unlocked' ? paint.yellow('?') : paint.red('✗')
  return `${mark} ${visibleName(skill.name)}  ${paint.bold(skill.state)}  ${explained(skill)}`.trimEnd()
}

function explained(skill: VerifiedSkill): string {
  const { state, hashFits, reason } = skill
  if (state === 'changed') return differencesText(skill)
  if (state === 'missing') return '"repertoire install" brings it back'
  if (state === 'unreadable') return visible(reason ?? '')
  if (state === 'unlocked') return 'it is not in the lock'
  if (state !== 'unpinned') return ''
  const hash = hashFits === undefined ? '' : hashFits ? ', and its hash fits' : ', and its hash does not fit'
  return `the lock has no digests of it${hash}: "repertoire install" pins it`
}

/** What is left of unfinished changes, for a person. */
export function leftoverLines(leftovers: readonly Leftover[], paint: Paint): readonly string[] {
  return leftovers.map(({ path, kind, isOnlyCopy, skill }) => {
    const what = {
      old: isOnlyCopy ? 'its only copy: "repertoire recover" puts it back' : 'its content before an unfinished change',
      new: 'content of an unfinished change',
      gone: 'content that was being removed',
      lock: 'a part of the lock that was not used',
      other: 'not a folder that this program has made',
    }[kind]
    const of = skill === undefined ? '' : `${visibleName(skill)}: `
    return `${paint.red('✗')} ${visible(path)}  ${of}${what}${isOnlyCopy || kind === 'other' ? '' : '; "repertoire recover" removes it'}`
  })
}

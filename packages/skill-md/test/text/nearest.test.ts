import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../src/internal.ts'

describe('[CAT-2] nearest names', () => {
  it.each([
    ['kuberntes-deploy', ['deploy', 'kubernetes-deploy', 'kubernetes'], ['kubernetes-deploy']],
    ['pdf-form', ['pdf', 'pdf-forms', 'form'], ['pdf-forms']],
    ['PDF-Forms', ['pdf', 'pdf-forms'], ['pdf-forms']],
    ['pfd', ['pdf', 'xlsx'], ['pdf']],
    [`${'references/'.repeat(8)}a.md`, [`${'references/'.repeat(8)}b.md`, 'a.md'], [`${'references/'.repeat(8)}b.md`]],
    ['comit', ['commits', 'commit', 'command'], ['commit', 'commits']],
  ])('%s among %j means %j: by edits, and never a mere part of it', (typed, names, expected) => {
    expect(nearestNames(typed, names)).toEqual(expected)
  })

  it.each([
    ['pdf', ['pdf-forms', 'pdf-merge', 'xlsx'], ['pdf-forms', 'pdf-merge']],
    ['deploy-to-kubernetes-now', ['deploy', 'xlsx'], ['deploy']],
  ])('where nothing is a few edits away, %s stands for what shares a part with it', (typed, names, expected) => {
    expect(nearestNames(typed, names)).toEqual(expected)
  })

  it.each(['', 'ab', 'quarterly-report'])('%j is near to nothing else', (typed) => {
    expect(nearestNames(typed, ['xy', 'kubernetes'])).toEqual([])
  })

  it('gives at most as many as are wanted, in the same order on every machine', () => {
    expect(nearestNames('a-c', ['a-e', 'a-d', 'a-b'])).toEqual(['a-b', 'a-d', 'a-e'])
    expect(nearestNames('a-c', ['a-e', 'a-d', 'a-b'], 1)).toEqual(['a-b'])
  })

  it('a name is within two edits of a short one, and within one edit for every three characters of a longer one', () => {
    expect(nearestNames('abcd', ['abxy'])).toEqual(['abxy'])
    expect(nearestNames('abcd', ['axyz'])).toEqual([])
    expect(nearestNames('abcdefghi', ['abcdefxyz'])).toEqual(['abcdefxyz'])
    expect(nearestNames('abcdefgh', ['abcdexyz'])).toEqual([])
    expect(nearestNames('abcdefghi', ['abcdewxyz'])).toEqual([])
  })

  it('names are compared by their first 256 characters', () => {
    const long = 'x'.repeat(256)
    expect(nearestNames(`${long}a`, [`${long}b`, `${long}a`])).toEqual([`${long}a`, `${long}b`])
    expect(nearestNames(long, [`${long}${'b'.repeat(300)}`])).toEqual([`${long}${'b'.repeat(300)}`])
    expect(nearestNames(`y${long.slice(1)}`, [`${long}b`, long])).toEqual([long, `${long}b`])
  })
})

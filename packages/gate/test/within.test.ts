import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liesWithin, openToolTable, NO_POLICY } from '../src/internal.ts'
import { permits } from './permits.ts'
import { rule } from './rules.ts'
import { runs } from '@repertoire/test-servers/properties'

const tools = openToolTable({ toolMap: { ask: { argument: 'text', kind: 'text' } } }).of(undefined)
const isWithin = (inner: string, outer: string): boolean => liesWithin(rule(inner), rule(outer), tools)

/** Whether a rule alone allows a call. */
async function allows(text: string, tool: string, input: unknown): Promise<boolean> {
  return (await permits({ ...NO_POLICY, lists: [{ rules: [rule(text)] }] }, { tool, input }, { tools })).allowed
}

describe('[DISC-14] a rule within another', () => {
  it.each([
    ['Read', 'Read'],
    ['read', 'Read'],
    ['Read(docs/**)', 'Read'],
    ['Bash(git log:*)', 'Bash'],
    ['Bash(git log:*)', 'Bash(*)'],
    ['Bash(git log:*)', 'Bash(git:*)'],
    ['Bash(git log *)', 'Bash(git:*)'],
    ['Bash(git log -n 5)', 'Bash(git:*)'],
    ['Bash(git log -n 5)', 'Bash(git log:*)'],
    ['Bash(npm test)', 'Bash(npm test)'],
    ['Bash(git lfs:*)', 'Bash(git:*)'],
    ['Bash(git log --stat:*)', 'Bash(git log:*)'],
    ['Bash(gh pr list -L:*)', 'Bash(gh pr:*)'],
    ['Bash(awk -f x:*)', 'Bash(awk:*)'],
    ['Bash(env git:*)', 'Bash(env:*)'],
    ['Read(docs/guide/**)', 'Read(docs/**)'],
    ['Read(docs/a.md)', 'Read(docs/*.md)'],
    ['Read(docs/.env)', 'Read(docs/*)'],
    ['Read(./docs/x/../*.md)', 'Read(docs/**)'],
    ['Read(**/x)', 'Read(**)'],
    ['Read(/srv/x/**)', 'Read(/srv/**)'],
    ['WebFetch(domain:api.example.com)', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:*.example.com)', 'WebFetch(domain:*.example.com)'],
    ['WebFetch(domain:*.a.example.com)', 'WebFetch(domain:*.example.com)'],
    ['WebFetch(domain:example.com)', 'WebFetch(domain:*)'],
    ['WebFetch(https://example.com/a/*)', 'WebFetch(domain:example.com)'],
    ['WebFetch(https://example.com/a)', 'WebFetch(https://example.com/*)'],
    ['ask(weather:*)', 'ask(we*)'],
    ['mcp__github__list', 'mcp__github__*'],
    ['mcp__github__*', 'mcp__github__*'],
    ['Unknown(x)', 'Unknown'],
    ['Unknown(x)', 'Unknown(x)'],
  ])('%s lies within %s', (inner, outer) => {
    expect(isWithin(inner, outer)).toBe(true)
  })

  it.each([
    ['Read', 'Write'],
    ['Read', 'Read(**)'],
    ['Bash', 'Bash(git:*)'],
    ['Bash(*)', 'Bash(git:*)'],
    ['Bash(git log --output:*)', 'Bash(git log:*)'],
    ['Bash(uniq x y:*)', 'Bash(uniq:*)'],
    ['Bash(git:*)', 'Bash(git log:*)'],
    ['Bash(git log:*)', 'Bash(git log)'],
    ['Bash(gitx:*)', 'Bash(git:*)'],
    ['Bash(git -c alias.x=!id x)', 'Bash(git:*)'],
    ['Bash(git -c alias.x=!id:*)', 'Bash(git:*)'],
    ['Bash(git log --ext-diff:*)', 'Bash(git log:*)'],
    ['Bash(git log; id:*)', 'Bash(git:*)'],
    ['Read(docs/**)', 'Read(docs/*)'],
    // These do, which is not told.
    ['WebFetch(https://example.com/a*)', 'WebFetch(https://example.com/*)'],
    ['Read(a/b/c/*.ts)', 'Read(a/**/*.ts)'],
    ['Read(docs)', 'Read(docs/**)'],
    ['Read(*)', 'Read(docs/*)'],
    ['Read(docs/../**)', 'Read(docs/**)'],
    ['Read(/srv/**)', 'Read(**)'],
    ['Read(docs/**)', 'Read(/docs/**)'],
    ['Read(a/*)', 'Read(a/?)'],
    ['Read(a/?)', 'Read(a/b?)'],
    ['Read(~/x)', 'Read(**)'],
    ['WebFetch(domain:example.com)', 'WebFetch(domain:*.example.com)'],
    ['WebFetch(domain:evil-example.com)', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:*)', 'WebFetch(domain:example.com)'],
    ['WebFetch(https://*.example.com/x)', 'WebFetch(domain:www.example.com)'],
    ['WebFetch(http://example.com/*)', 'WebFetch(https://example.com/*)'],
    ['WebFetch(https://example.com:8443/a*)', 'WebFetch(https://example.com/*)'],
    ['WebFetch(https://example.com@evil.com/*)', 'WebFetch(domain:example.com)'],
    ['ask(a*)', 'ask(a*c)'],
    ['mcp__github__*', 'mcp__github__list'],
    ['mcp__github__x__y', 'mcp__github__*'],
    ['Unknown(x)', 'Unknown(*y)'],
  ])('%s does not, or not certainly, lie within %s', (inner, outer) => {
    expect(isWithin(inner, outer)).toBe(false)
  })

  it('is decided fast for hostile patterns', () => {
    const many = `Read(${'**/a/'.repeat(150)}x)`
    expect(isWithin(many, `Read(${'**/a/'.repeat(150)}y)`)).toBe(false)
  })

  const words = [
    'git log --oneline -5',
    'git diff --stat HEAD',
    'npm run build',
    'find . -name x',
    'sort -k 2 x',
    'uniq -c x',
    'gh pr view 1',
    'docker run x',
  ]

  it('of commands never allows what the other does not, whatever stands behind', async () => {
    const command = fc.constantFrom(...words).filter((text) => /^[\w ./:=!-]+$/.test(text))
    const tail = fc.constantFrom(
      '',
      ' x',
      ' --output=x',
      ' -c a.b=id',
      ' --exec id',
      ' -o x',
      ' -- -x',
      ' run id',
      ' set x !id',
    )
    await fc.assert(
      fc.asyncProperty(command, fc.nat(3), fc.nat(3), tail, async (text, first, second, more) => {
        const parts = text.split(' ')
        const [short, long] = [Math.min(first, second) + 1, Math.max(first, second) + 1].map((n) =>
          parts.slice(0, n).join(' '),
        )
        const [inner, outer] = [`Bash(${long}:*)`, `Bash(${short}:*)`]
        if (!isWithin(inner, outer)) return
        for (const input of [{ command: text }, { command: `${text}${more}` }, { command: `${long}${more}` }]) {
          if (await allows(inner, 'Bash', input))
            expect([inner, outer, input, await allows(outer, 'Bash', input)]).toEqual([inner, outer, input, true])
        }
      }),
      { numRuns: runs(1500) },
    )
  })

  it('of paths never allows what the other does not', async () => {
    const part = fc.constantFrom('a', 'b', '*', '**', '?', 'a*', '*b', '.x')
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', '.x', 'xyz'), { minLength: 1, maxLength: 5 })
      .map((p) => p.join('/'))
    await fc.assert(
      fc.asyncProperty(pattern, pattern, path, async (inner, outer, file_path) => {
        if (!isWithin(`Read(${inner})`, `Read(${outer})`)) return
        if (!(await allows(`Read(${inner})`, 'Read', { file_path }))) return
        expect([inner, outer, file_path, await allows(`Read(${outer})`, 'Read', { file_path })]).toEqual([
          inner,
          outer,
          file_path,
          true,
        ])
      }),
      { numRuns: runs(2000) },
    )
  })

  it('of texts never allows what the other does not', async () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(''))
    const value = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 6 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(pattern, pattern, value, async (inner, outer, text) => {
        if (!isWithin(`ask(${inner})`, `ask(${outer})`) || !(await allows(`ask(${inner})`, 'ask', { text }))) return
        expect([inner, outer, text, await allows(`ask(${outer})`, 'ask', { text })]).toEqual([inner, outer, text, true])
      }),
      { numRuns: runs(2000) },
    )
  })
})

// An algorithm without its own entry point, tested beside its source.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Manifest } from '@repertoire/skill-md/internal'
import { triggeredSkills } from './triggers.ts'

/** A skill of nothing but triggers. */
function withTriggers(name: string, triggers: Partial<Manifest['triggers']>) {
  return { name, manifest: { triggers: { keywords: [], verbs: [], patterns: [], ...triggers } } }
}

/** The names of those skills, each with one trigger, that a message matches. */
async function matching(message: string, triggers: Parameters<typeof withTriggers>[1]): Promise<boolean> {
  return (await triggeredSkills(message, [withTriggers('one', triggers)])).length > 0
}
const keyword = (word: string, message: string) => matching(message, { keywords: [word] })
const verb = (word: string, message: string) => matching(message, { verbs: [word] })
const pattern = (text: string, message: string) => matching(message, { patterns: [text] })

describe('keywords', () => {
  it('[ACT-11, ABUSE-120] are looked for in the first 20,000 characters of a message, counted after normalisation', async () => {
    // Each becomes a sentence of eighteen characters.
    expect(await keyword('pdf', `${'\uFDFA'.repeat(1_000)} pdf`)).toBe(true)
    expect(await keyword('pdf', `${'\uFDFA'.repeat(2_000)} pdf`)).toBe(false)
  })

  it.each([
    ['pdf', 'Make a PDF, please'],
    ['PDF', 'the pdf.'],
    ['pdf', 'pdf'],
    ['pull request', 'open a Pull\n  Request now'],
    ['C++', 'is this c++?'],
    ['.net', 'a .NET service'],
    ['code-review', 'a code-review'],
    ['Straße', 'in der STRASSE'],
    ['ΟΔΟΣ', 'η οδός είναι οδος'],
    ['ΟΔΟΣ', 'οδος.Χ'],
    ['ﬁle', 'a file'],
    ['e\u0301te\u0301', 'en été'],
    ['技能', '请写一个技能文件'],
    ['pdf', '用pdf转换'],
    ['sprint', 'sprint-planning'],
    ['🚀', 'go🚀go'],
  ])('[ACT-11] %j is in %j: whole words, in whatever case and form of characters', async (word, message) => {
    expect(await keyword(word, message)).toBe(true)
  })

  it.each([
    ['pdf', 'pdfs and mypdf and pdf_x and 1pdf'],
    ['pull request', 'pull requests'],
    ['pull request', 'a full pull, request'],
    ['C++', 'abc++'],
    ['ete', 'en \u00E9te\u0301'],
    ['a', 'éa'],
    ['𝒜b', 'x𝒜bc'],
    ['', 'anything'],
    ['constructor', 'nothing'],
  ])('[ACT-11] %j is not in %j', async (word, message) => {
    expect(await keyword(word, message)).toBe(false)
  })

  it('[ACT-11] finds a word wherever it stands between others, and never inside of one', async () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    await fc.assert(
      fc.asyncProperty(
        word,
        fc.array(word, { maxLength: 8 }),
        fc.constantFrom(' ', ', ', '\n', '-', '…'),
        async (wanted, others, gap) => {
          const at = others.length >> 1
          const has = [...others.slice(0, at), wanted.toUpperCase(), ...others.slice(at)].join(gap)
          expect(await keyword(wanted, has)).toBe(true)
          const inside = others.map((other) => `${other}${wanted}`).join(gap)
          expect(await keyword(wanted, inside)).toBe(false)
        },
      ),
    )
  })
})

describe('verbs', () => {
  it.each([
    ['review', ['review', 'reviews', 'reviewed', 'reviewing', 'Reviewing']],
    ['write', ['writes', 'writing']],
    ['plan', ['plans', 'planned', 'planning']],
    ['visit', ['visited', 'visiting']],
    ['fix', ['fixes', 'fixed', 'fixing']],
    ['deploy', ['deploys', 'deployed', 'deploying']],
    ['copy', ['copies', 'copied', 'copying']],
    ['push', ['pushes', 'pushing']],
    ['agree', ['agrees', 'agreed', 'agreeing']],
    ['do', ['doing']],
    ['set up', ['sets up', 'setting up', 'Set  up']],
    ['查', ['请查一下']],
  ])('[ACT-11] %j is known in %j', async (base, forms) => {
    const known = await Promise.all(forms.map((form) => verb(base, `so ${form} it`)))
    expect(forms.filter((_, index) => !known[index])).toEqual([])
  })

  it.each([
    ['review', ['preview', 'view']],
    ['write', ['wrote', 'rewrite']],
    ['plan', ['planet', 'plane', 'plant', 'planes']],
    ['set up', ['sets', 'setup', 'upset up']],
  ])('[ACT-11] %j is not in %j', async (base, words) => {
    const known = await Promise.all(words.map((word) => verb(base, `so ${word} it`)))
    expect(words.filter((_, index) => known[index])).toEqual([])
  })

  it.each(['größen', '7z'])('[ACT-11] %j has no other forms: it is no English verb', async (word) => {
    expect(await verb(word, `so ${word} it`)).toBe(true)
    for (const ending of ['s', 'ed', 'ing']) expect(await verb(word, `so ${word}${ending} it`)).toBe(false)
  })
})

describe('patterns', () => {
  it('[ACT-11] are RE2 expressions, anywhere in the message, in the case that they are written in', async () => {
    expect(await pattern('INC-\\d{4}', 'about INC-1234')).toBe(true)
    expect(await pattern('INC-\\d{4}', 'about inc-1234')).toBe(false)
    expect(await pattern('(?i)inc-\\d{4}', 'about INC-1234')).toBe(true)
    expect(await pattern('^make .+ fast$', 'make it fast')).toBe(true)
    expect(await pattern('^make .+ fast$', 'please make it fast')).toBe(false)
  })

  it('[ACT-11] a pattern that cannot be compiled matches nothing, and the others of the skill still do', async () => {
    expect(await matching('abc', { patterns: ['(?=a)', '(a', 'b'] })).toBe(true)
    expect(await matching('abc', { patterns: ['(?=a)', '(a'] })).toBe(false)
  })

  it('[ACT-11] nested repetitions over 20,000 characters come to an answer', async () => {
    const message = `${'a'.repeat(19_999)}!`
    const hostile = ['(a+)+$', '^((a*)*)*$', '(a|a|aa)+$', '(a{1,10}){1,10}$', '(.*)(.*)(.*)(.*)$x']
    const matched = await Promise.all(hostile.map((text) => pattern(text, message)))
    expect(hostile.filter((_, index) => matched[index])).toEqual([])
  })

  it('[ABUSE-14, ACT-11] one that is compiled to thousands of steps matches nothing, and those before it still do', async () => {
    const large = [String.raw`(?:\B.{0,31}|\b.){0,31}b`, `(?:${'[ab]?'.repeat(30)}){40}b`]
    for (const one of large) {
      expect(await pattern(one, 'ab')).toBe(false)
      expect(await matching('ab', { patterns: ['a', one] })).toBe(true)
    }
    const usual = String.raw`(?i)\b(?:deploy|release|ship|publish)(?:ed|ing|s)?\b.{0,60}\b(?:prod|production|staging)\b`
    expect(await matching('We SHIP it to staging', { patterns: [...Array(10).fill('\\d{20}'), usual] })).toBe(true)
    // Together too.
    const half = (n: number): string => `(?:${'[ab]?'.repeat(22)}){10}x${String.fromCodePoint(97 + n)}`
    expect(await matching('bxt', { patterns: Array.from({ length: 20 }, (_, n) => half(n)) })).toBe(false)
    expect(await matching('bxa', { patterns: Array.from({ length: 20 }, (_, n) => half(n)) })).toBe(true)
  })

  it('[ACT-11] looks at the first 20,000 characters', async () => {
    const late = `${' '.repeat(19_998)}now later`
    expect(await keyword('now', late)).toBe(false)
    expect(await pattern('no$', late)).toBe(true)
    expect(await pattern('later', late)).toBe(false)
  })

  it('[ACT-11] takes a message that is cut inside of a character', async () => {
    expect(await pattern('^a+$', `${'a'.repeat(19_999)}🚀`)).toBe(false)
  })
})

it('[ACT-11] names the skill that most triggers speak for first, else keeps the order', async () => {
  const skills = [
    withTriggers('one', { keywords: ['pdf'] }),
    withTriggers('none', { keywords: ['xls'] }),
    withTriggers('three', { keywords: ['pdf', 'merge'], verbs: ['merge'] }),
    withTriggers('two', { keywords: ['pdf'], patterns: ['p.f'] }),
    withTriggers('other', { verbs: ['merge'] }),
  ]
  const names = (await triggeredSkills('Merging: merge this pdf', skills)).map(({ name }) => name)
  expect(names).toEqual(['three', 'two', 'one', 'other'])
})

it('[ACT-11] reads the triggers of a manifest once, whatever comes after', async () => {
  const one = withTriggers('one', {})
  let read = 0
  Object.defineProperty(one.manifest.triggers, 'keywords', {
    get() {
      read++
      return ['pdf']
    },
  })
  for (const message of ['a pdf', 'none', 'pdf']) await triggeredSkills(message, [one])
  expect(read).toBe(1)
})

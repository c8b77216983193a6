import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import facts from '../../src/loaders.json' with { type: 'json' }
import type { SkillCheck } from '../../src/output/skill-check.ts'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

const GOOD = 'Fills in PDF forms from a CSV table. Use it when a form has to be filled many times.'

/** Checks a skill with this SKILL.md and these files. */
async function checked(text: string, files: Readonly<Record<string, string>> = {}, folder = 'pdf') {
  const cwd = await temporaryFolder()
  const inFolder = Object.entries({ 'SKILL.md': text, ...files }).map(([path, file]) => [`${folder}/${path}`, file])
  await write(cwd, Object.fromEntries(inFolder) as Record<string, string>)
  const { code, stdout } = await inProcess(['check', folder, '--json'], { cwd })
  return { code, ...(JSON.parse(stdout) as SkillCheck) }
}

describe('check', () => {
  it('[FRONT-6] answers the four questions of an author on one screen of 80 columns', async () => {
    const cwd = await temporaryFolder()
    const rules = 'allowed-tools: Read Bash(python:*)\nhooks:\n  pre: [./check.sh]\n'
    await write(cwd, {
      'skills/pdf/SKILL.md': manifest('pdf', rules, GOOD),
      'skills/pdf/scripts/fill.py': 'print(1)\n',
      'skills/pdf/references/forms.md': 'x'.repeat(4000),
    })
    const { code, stdout, stderr } = await inProcess(['check', 'skills/pdf'], {
      cwd,
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines.length).toBeLessThanOrEqual(35)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    for (const part of [
      /Does it load\?\n {2}here +yes, with/,
      new RegExp(`elsewhere +in 11 of 11 other systems, as tested on ${facts.date}`),
      /Tools run that allowed-tools does not name: all of them\./,
      /What does it ask for\?\n {2}tools +Read, Bash\(python:\*\)\n {2}unbounded +may do anything that python can do/,
      /scripts +scripts\/fill\.py\n {2}hooks +\.\/check\.sh/,
      /What does it cost\?\n {2}list +about \d+ tokens in every step\n {2}body +about \d+ tokens/,
      /files +about 1,000 tokens in 1 file/,
      /Would a model find it\?\n {2}→ +Measure whether a model chooses it\. To begin: repertoire eval pdf --init\n/,
    ]) {
      expect(stdout).toMatch(part)
    }
  })

  it('[FRONT-6] shows warnings before notes, however many there are', async () => {
    const cwd = await temporaryFolder()
    const links = ['a', 'b', 'c', 'd', 'e'].map((name) => `[${name}](${name}.md)`).join(' ')
    const text = manifest('pdf', 'allowed-tools: Bash(python3 scripts/*)\n', GOOD)
    await write(cwd, { 'pdf/SKILL.md': `${text}\n${links}\n` })
    const { stdout } = await inProcess(['check', 'pdf'], { cwd })
    expect(stdout).toMatch(/here +yes, with 1 warning, \d notes\n +– allowed-tools has rules that permit nothing/)
    expect(stdout).toContain('More: repertoire validate pdf')
  })

  it('[FRONT-6] finds a skill by its name, and ends with 1 if it does not load', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { '.agents/skills/pdf/SKILL.md': manifest('pdf', '', GOOD), 'bad/SKILL.md': 'nothing\n' })
    expect((await inProcess(['check', 'pdf'], { cwd })).code).toBe(0)
    expect((await inProcess(['check', '.agents/skills/pdf/SKILL.md'], { cwd })).code).toBe(0)
    const bad = await inProcess(['check', 'bad'], { cwd })
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringMatching(/here +no, with 1 error\n.*Line 1: .*"---"/)])
    expect(bad.stdout).not.toContain('elsewhere')
    await write(cwd, { '.agents/skills/odd/SKILL.md': manifest('odd', 'allowed-tools: Bash(git:*\n', GOOD) })
    const odd = await inProcess(['check', 'odd'], { cwd })
    expect([odd.code, odd.stdout]).toEqual([1, expect.stringMatching(/here +no, with 1 error\n.*"Bash\(git:\*"/)])
    expect(await inProcess(['check', 'none'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no skill of this name') as string,
    })
  })

  it.each([
    ['nothing unusual', manifest('pdf', '', GOOD), [], 11],
    ['a byte order mark', `\uFEFF${manifest('pdf', '', GOOD)}`, ['listing-bom'], 7],
    ['a colon without quotes', manifest('pdf', '', 'Use when: a form is there.'), ['listing-unquoted-colon'], 5],
    ['a folded description', manifest('pdf', '', `>-\n  ${GOOD}`), ['listing-folded-text'], 11],
    ['a description of several lines', manifest('pdf', '', `Fills in forms.\n  ${GOOD}`), ['listing-plain-lines'], 11],
    [
      'a heading',
      manifest('pdf', '', `|\n  ${GOOD}\n  # Rules`),
      ['listing-literal-text', 'listing-heading-contained'],
      11,
    ],
    ['an escape', manifest('pdf', '', String.raw`"Fills \"forms\"."`), ['listing-double-quoted'], 11],
    ['another folder', manifest('other', '', GOOD), ['told-name-mismatch'], 9],
    ['a skill for people', manifest('pdf', 'disable-model-invocation: true\n', GOOD), ['told-manual-only'], 11],
    ['rules', manifest('pdf', 'allowed-tools: Read\n', GOOD), ['told-unlisted-tool'], 11],
  ])('[FRONT-6] says what other systems do with %s', async (_, text, found, count) => {
    const { loads } = await checked(text)
    expect(loads.elsewhere.found.map(({ check }) => check)).toEqual(found)
    const lost = new Set(loads.elsewhere.found.filter(({ isLost }) => isLost).flatMap(({ systems }) => systems))
    expect(loads.elsewhere.systems.length - lost.size).toBe(count)
  })

  it('[FRONT-6] knows which files other systems cannot read', async () => {
    const { loads } = await checked(manifest('pdf', '', GOOD), {
      'notes.md': 'x',
      'assets/big.csv': 'x'.repeat(200_000),
    })
    const found = loads.elsewhere.found.map(({ check, systems }) => [check, systems.length])
    expect(found).toEqual([
      ['resources-beside', 1],
      ['resources-large', 1],
    ])
  })

  it.each([
    [
      'no word on when',
      'Fills in PDF forms, AcroForm fields, XFA fields and tables of all kinds.',
      /Say when to use it/,
    ],
    ['few words', 'PDF forms. Use it.', /has 4 words/],
    ['itself first', 'This skill fills in the forms of a PDF file when they are asked for.', /Begin with what it does/],
    ['very much', `Use it when asked. ${'Fills in forms. '.repeat(50)}`, /A long list shortens it/],
  ])('[FRONT-6] helps a description to be found that says %s', async (_, description, advice) => {
    const evals = { 'evals/evals.json': '{}' }
    expect((await checked(manifest('pdf', '', description), evals)).advice.join()).toMatch(advice)
    expect((await checked(manifest('pdf', '', GOOD), evals)).advice).toEqual([])
  })

  it('[FRONT-6] has the facts that the tests of other systems gave', () => {
    const page = readFileSync(new URL('../../../../hosts/results.md', import.meta.url), 'utf8')
    const [head = [], ...rows] = Array.from(page.matchAll(/^\| (?:check|`).*\|$/gm), ([line]) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    for (const { name, version, fails } of facts.systems) {
      const column = head.indexOf(name)
      const failed = rows.filter((row) => row[column] === '✗').map(([id = '']) => id.slice(1, -1))
      expect([name, fails]).toEqual([name, failed])
      expect(page).toContain(`### ${name} ${version}\n`)
    }
    const table = readFileSync(new URL('../../../../docs/other-loaders.md', import.meta.url), 'utf8')
    expect(table).toContain(`Judged on ${facts.date}.`)
  })
})

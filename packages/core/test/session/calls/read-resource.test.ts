import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type RepertoireOptions, memorySource, openRepertoire } from '../../../src/index.ts'

const LONG = 'x'.repeat(60_001)
const FILES = {
  'SKILL.md': '---\nname: pdf\ndescription: d\n---\nBody.\n',
  'references/guide.md': 'one\ntwo\nthree\n',
  'references/forms/fields.md': 'fields',
  'b"&.md': 'quoted',
  'long.md': LONG,
  'just.md': LONG.slice(1),
  'scripts/go.sh': 'echo',
}

async function open(options: Partial<RepertoireOptions> = {}, active: readonly string[] = ['pdf']) {
  const other = { 'SKILL.md': FILES['SKILL.md'].replace('pdf', 'csv'), 'only.md': 'only csv' }
  const binary = new Uint8Array([0, 1, 2, 255])
  const skills = { pdf: { ...FILES, 'a.bin': binary }, csv: other }
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    ...options,
  })
  const session = openAdapterSession(repertoire, { consent: () => true, hostTools: ['Bash'] })
  for (const name of active) {
    const [tool, input] = options.listing?.style === 'tools' ? [`skill_${name}`, {}] : ['activate_skill', { name }]
    await session.call({ id: name, tool, input }, () => '')
  }
  return async (input: unknown): Promise<string> => {
    const outcome = await session.call({ id: 'r', tool: 'read_skill_resource', input }, () => '')
    return outcome.ok ? (outcome.text ?? '') : `${outcome.refusal.code}: ${outcome.refusal.reason}`
  }
}

describe('the tool that reads a skill’s files', () => {
  it.each<[unknown, string]>([
    ['x', '`read_skill_resource` takes its input as one JSON object; it was given "x".'],
    [{ path: 7 }, '`path` of `read_skill_resource` must be a string.'],
    [{ path: 'a.md', skill: ['pdf'] }, '`skill` of `read_skill_resource` must be a string.'],
    [{ path: 'a.md', from: 0 }, '`from` of `read_skill_resource` must be a whole number, 1 or more.'],
    [{ path: 'a.md', to: 1.5 }, '`to` of `read_skill_resource` must be a whole number, 1 or more.'],
    [{ path: 'a.md', to: '2' }, '`to` of `read_skill_resource` must be a whole number, 1 or more.'],
    ...[{}, { path: '' }, { path: ' ' }, { path: null }].map((input): [unknown, string] => [
      input,
      "`path` of `read_skill_resource` is empty. Give a path relative to the skill's folder, such as references/guide.md.",
    ]),
  ])('[RES-2] says what is wrong with the input %j', async (input, reason) => {
    expect(await (await open())(input)).toBe(`INPUT_INVALID: ${reason}`)
  })

  it.each([
    [{}, 'lines="1-3" of="3">\none\ntwo\nthree\n'],
    [{ from: 2 }, 'lines="2-3" of="3">\ntwo\nthree\n'],
    [{ to: 1 }, 'lines="1-1" of="3">\none\n'],
    [{ from: 2, to: 2 }, 'lines="2-2" of="3">\ntwo\n'],
    [{ from: 3, to: 9 }, 'lines="3-3" of="3">\nthree\n'],
  ])('[RES-2] shows the lines %j', async (lines, shown) => {
    expect(await (await open())({ path: 'references/guide.md', ...lines })).toBe(
      `<skill_resource skill="pdf" path="references/guide.md" ${shown}</skill_resource>`,
    )
  })

  it.each([[{ from: 4 }], [{ from: 4, to: 9 }], [{ from: 3, to: 2 }]])(
    '[RES-2] has no lines %j of a file that has three',
    async (lines) => {
      expect(await (await open())({ path: 'references/guide.md', ...lines })).toBe(
        `INPUT_INVALID: There are no such lines: "references/guide.md" has 3. Give a line from 1 to 3.`,
      )
    },
  )

  it('[RES-2] truncates what is longer than 60,000 characters, and says so', async () => {
    const read = await open()
    expect(await read({ path: 'just.md' })).toBe(
      `<skill_resource skill="pdf" path="just.md" lines="1-1" of="1">\n${LONG.slice(1)}\n</skill_resource>`,
    )
    expect(await read({ path: 'long.md' })).toBe(
      `<skill_resource skill="pdf" path="long.md" lines="1-1" of="1" truncated="true">\n${LONG.slice(1)}\nCut after 60000 characters: ask for the next lines with \`from\`.\n</skill_resource>`,
    )
  })

  it('[RES-2] says of a binary file how long it is, and escapes what a path holds', async () => {
    const read = await open()
    expect(await read({ path: 'a.bin' })).toBe(
      '<skill_resource skill="pdf" path="a.bin" bytes="4">This file is binary and is not shown.</skill_resource>',
    )
    expect(await read({ path: 'b"&.md' })).toContain('path="b&quot;&amp;.md"')
  })

  it('[RES-2] reads of the skill that is named, else of the one that was activated last', async () => {
    const read = await open({}, ['pdf', 'csv'])
    expect(await read({ path: 'only.md' })).toContain('only csv')
    expect(await read({ path: 'only.md', skill: '' })).toContain('only csv')
    expect(await read({ path: 'references/guide.md', skill: 'pdf' })).toContain('skill="pdf"')
    expect(await read({ path: 'references/guide.md' })).toContain('RESOURCE_NOT_FOUND')
  })

  it('[RES-2] wants an active skill, and says how to come to one', async () => {
    expect(await (await open({}, []))({ path: 'a.md' })).toBe(
      'SKILL_NOT_ACTIVE: No skill is active. Activate it with `activate_skill` before its files are read.',
    )
    expect(await (await open())({ path: 'a.md', skill: `c${'s'.repeat(80)}` })).toBe(
      `SKILL_NOT_ACTIVE: The skill "c${'s'.repeat(79)}…" is not active. Activate it with \`activate_skill\` before its files are read.`,
    )
    expect(await (await open({ listing: { style: 'tools' } }))({ path: 'a.md', skill: 'csv' })).toBe(
      'SKILL_NOT_ACTIVE: The skill "csv" is not active. Activate it with the tool that it has of its own before its files are read.',
    )
  })

  it('[GATE-4] shows no script, and says what runs it', async () => {
    expect(await (await open())({ path: 'scripts/go.sh' })).toMatch(
      /^SCRIPT_READ_BLOCKED: "scripts\/go\.sh" is a script of the active skill "pdf": scripts are run, not read\. Nothing here runs it: /,
    )
  })

  it.each([
    ['/skills/pdf/references/guide.md', 'references/guide.md'],
    ['pdf\\references\\guide.md', 'references/guide.md'],
    ['guide.md', 'references/guide.md'],
    ['forms/fields.md', 'references/forms/fields.md'],
    ['references/guid.md', 'references/guide.md'],
  ])('[RES-2] names for %j the file that is most likely meant', async (path, meant) => {
    expect(await (await open())({ path })).toMatch(
      new RegExp(` Did you mean ${JSON.stringify(meant).replaceAll('.', '\\.')}\\?$`),
    )
  })

  it('[RES-2] names none if nothing is near, and never the manifest', async () => {
    const read = await open()
    expect(await read({ path: 'zzzzzzzzzz.qqq' })).not.toContain('Did you mean')
    expect(await read({ path: 'x/SKILL.md' })).not.toContain('Did you mean "SKILL.md"')
  })
})

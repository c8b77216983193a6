import { describe, expect, it } from 'vitest'
import { FIELDS } from '../src/fields/fields.ts'
import { parseSkill, type Manifest, type SkillDefinition } from '../src/internal.ts'
import { renderSkill } from '../src/index.ts'

const { manifest: BASE } = (await parseSkill('---\nname: pdf\ndescription: Reads PDF files.\n---\n')) as {
  readonly manifest: Manifest
}
const of = (more: Partial<Manifest>): Manifest => ({ ...BASE, ...more })

/** The frontmatter that a manifest is written with, without its name and description. */
async function front(more: Partial<Manifest>): Promise<string> {
  const text = await renderSkill({ manifest: of(more), body: '' })
  return text.replace('---\nname: pdf\ndescription: Reads PDF files.\n', '').replace(/---\n$/, '')
}

describe('a SKILL.md that is written', () => {
  it('[MAN-13] writes a skill from scratch: a name, a description, and what else there is to say', async () => {
    const manifest = { name: 'pdf', description: 'Fills in forms.', allowedTools: [{ tool: 'Read' }] }
    const text = await renderSkill({ manifest, body: '# PDF\n' })
    expect(text).toBe('---\nname: pdf\ndescription: Fills in forms.\nallowed-tools: Read\n---\n# PDF\n')
  })

  it('[MAN-13] has the name, the description, no default, and the body as it stands', async () => {
    const text = await renderSkill({ manifest: BASE, body: '# PDF\n' })
    expect(text).toBe('---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n')
    expect(await renderSkill({ manifest: BASE, definition: { type: 'instruction', content: '# PDF\n' } })).toBe(text)
  })

  it('[MAN-13] has every field, those of the standard first and as the standard has them', async () => {
    const text = await renderSkill({
      manifest: of({
        extra: { colour: 'red', deep: { list: [1, true, null, 'x'] } },
        tags: ['a b', 'c,d'],
        allowedTools: [
          { tool: 'Bash', pattern: 'git commit:*' },
          { tool: 'mcp__x__*' },
          { tool: 'Edit', pattern: 'a, b' },
        ],
        disallowedTools: [{ tool: 'Write' }],
        metadata: { version: '1.10', flag: 'true', none: 'null', empty: '' },
        compatibility: 'Needs poppler.',
        license: 'MIT',
        type: 'template',
        status: 'draft',
        parameters: { type: 'object', properties: { name: { type: 'string' } } },
        source: 'https://example.com/skills',
        createdBy: 'import',
        model: 'large',
        context: 'fork',
        agent: 'reader',
        hooks: { pre: ['npm test'], post: [] },
        priority: 3,
        scope: { agents: [], tenants: ['acme'] },
        toolsets: ['./tools.js:Tools'],
        triggers: { keywords: ['pdf'], verbs: [], patterns: ['^read .*\\.pdf$'] },
        argumentHint: '[file] [mode]',
        arguments: ['file'],
        whenToUse: 'When a file ends in .pdf',
        disableModelInvocation: true,
        userInvocable: false,
      }),
      definition: { type: 'template', template: 'Dear {{ name }}\n```js\n1\n```' },
    })
    expect(text).toBe(
      [
        '---',
        'name: pdf',
        'description: Reads PDF files.',
        'license: MIT',
        'compatibility: Needs poppler.',
        'metadata:',
        '  version: "1.10"',
        '  flag: "true"',
        '  none: "null"',
        '  empty: ""',
        'allowed-tools: Bash(git commit:*) mcp__x__* Edit(a, b)',
        'type: template',
        'status: draft',
        'parameters:',
        '  type: object',
        '  properties:',
        '    name:',
        '      type: string',
        'source: https://example.com/skills',
        'created-by: import',
        'model: large',
        'context: fork',
        'agent: reader',
        'hooks:',
        '  pre:',
        '    - npm test',
        'priority: 3',
        'tags:',
        '  - a b',
        '  - c,d',
        'scope:',
        '  agents: []',
        '  tenants:',
        '    - acme',
        'toolsets:',
        '  - ./tools.js:Tools',
        'triggers:',
        '  keywords:',
        '    - pdf',
        '  patterns:',
        '    - ^read .*\\.pdf$',
        'argument-hint: "[file] [mode]"',
        'arguments:',
        '  - file',
        'when_to_use: When a file ends in .pdf',
        'disable-model-invocation: true',
        'user-invocable: false',
        'disallowed-tools: Write',
        'colour: red',
        'deep:',
        '  list:',
        '    - 1',
        '    - true',
        '    - null',
        '    - x',
        '---',
        '',
        '````',
        'Dear {{ name }}',
        '```js',
        '1',
        '```',
        '````',
        '',
      ].join('\n'),
    )
    const written = new Set([...text.matchAll(/^([\w-]+):/gm)].map(([, key]) => key))
    expect([...FIELDS.keys()].filter((key) => !written.has(key))).toEqual([])
  })

  it.each([
    '',
    '\n',
    '---\n',
    '---\nname: other\n---\n',
    'one\r\ntwo\r\n',
    'no final newline',
    '\uFEFF# A',
    '```md\nwrapped\n```\n',
    '``` not closed\n',
    '\t \n',
    '\u2028',
  ])('[MAN-13] holds the body of an instruction byte for byte: %j', async (body) => {
    const text = await renderSkill({ manifest: BASE, body })
    expect(text.endsWith(`\n---\n${body}`)).toBe(true)
    expect(await parseSkill(text)).toMatchObject({ manifest: BASE, body, definition: { content: body } })
  })

  it('[MAN-13] says in quotes what YAML of any version could take for something else', async () => {
    const license = [
      '1.10',
      'true',
      'null',
      'yes',
      'No',
      'on',
      '~',
      '2024-01-01',
      '1e3',
      '0x1F',
      '1:30',
      '=',
      '.5',
      '-',
      '',
    ]
    for (const value of license) {
      expect(await front({ metadata: { value } })).toBe(`metadata:\n  value: ${JSON.stringify(value)}\n`)
    }
    expect(await front({ metadata: { no: 'x', 1: 'y' } })).toBe('metadata:\n  "1": "y"\n  "no": x\n')
  })

  it('[MAN-13] keeps text of several lines readable, and one line one line', async () => {
    expect(await front({ license: 'one\n  two\n\nthree\n' })).toBe('license: |\n  one\n    two\n\n  three\n')
    const long = 'word '.repeat(180).trim()
    expect(await front({ license: long })).toBe(`license: ${long}\n`)
  })

  it('[MAN-13] has unknown fields last, even those that JavaScript puts first', async () => {
    expect(await front({ license: 'MIT', extra: { b: 1, 7: 2 } })).toBe('license: MIT\n"7": 2\nb: 1\n')
  })

  it('[MAN-13] says with escapes what no block of text can', async () => {
    for (const value of [' \n', '\n \n', 'a\r\nb', '\u0085']) {
      const text = await renderSkill({ manifest: of({ metadata: { value } }), body: '' })
      expect((await parseSkill(text)).manifest?.metadata).toEqual({ value })
    }
  })

  it('[MAN-13] tells no rules from rules that allow nothing', async () => {
    expect(await front({})).toBe('')
    expect(await front({ allowedTools: [] })).toBe('allowed-tools: ""\n')
  })

  it('[MAN-13] holds a script and a plan in code blocks that a person can read', async () => {
    const blockOf = async (definition: SkillDefinition) => {
      const text = await renderSkill({ manifest: of({ type: definition.type }), definition })
      expect(await parseSkill(text)).toMatchObject({ definition })
      return text.slice(text.indexOf('\n---\n') + 5)
    }
    expect(await blockOf({ type: 'script', script: 'echo hi\n\necho ```', language: 'bash' })).toBe(
      '\n````bash\necho hi\n\necho ```\n````\n',
    )
    const steps = [
      { tool: 'Read', parameters: { path: 'a.md' } },
      { tool: 'Bash', parameters: {}, description: 'Last.' },
    ]
    expect(await blockOf({ type: 'composite', steps })).toBe(
      '\n```yaml\nsteps:\n  - tool: Read\n    parameters:\n      path: a.md\n  - tool: Bash\n    parameters: {}\n    description: Last.\n```\n',
    )
    // What looks like a mapping, or has line ends that a block cannot hold, is said as the value of a mapping.
    expect(await blockOf({ type: 'script', script: 'script: x' })).toContain('script: "script: x"')
    expect(await blockOf({ type: 'script', script: 'a\r\nb', language: 'bat' })).toContain('language: bat')
    expect(await blockOf({ type: 'template', template: 'template: x' })).toContain('```text\ntemplate: x\n```')
  })

  it('[MAN-13] takes a document as it was parsed, and refuses a body that does not hold the definition', async () => {
    const text = '---\nname: pdf\ndescription: Reads PDF files.\ntype: script\n---\n# Say hi\n\n~~~sh\necho hi\n~~~\n'
    const document = await parseSkill(text)
    const { manifest } = document as { readonly manifest: Manifest }
    expect(await renderSkill({ ...document, manifest })).toBe(text)
    const other = { type: 'script', script: 'rm x', language: 'sh' } as const
    await expect(renderSkill({ ...document, manifest, definition: other })).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('"definition.script" is "rm x" and would be read back as "echo hi"'),
    })
  })

  it.each<[string, Partial<Manifest>, string]>([
    ['a name that is a path', { name: '../x' }, 'The name "../x" holds a path separator'],
    ['a name with blanks around it', { name: ' pdf' }, '"name" is " pdf" and would be read back as "pdf"'],
    ['no description', { description: '' }, 'The description is empty'],
    ['blanks around a description', { description: 'a\n' }, '"description" is "a\\n"'],
    ['a lone surrogate', { description: 'a\uD800' }, 'U+D800'],
    ['NUL', { metadata: { a: '\0' } }, 'U+0000'],
    ['a hidden character that a program would read', { model: 'a\u200Bb' }, 'U+200B'],
    ['a rule that is none', { allowedTools: [{ tool: 'Bash', pattern: 'a)(b' }] }, 'allowed-tools'],
    ['an agent of a skill that does not fork', { agent: 'x' }, '"agent" is "x" and would be read back as absent'],
    ['a reserved key', { metadata: JSON.parse('{"constructor": "x"}') }, '"constructor" is reserved'],
    ['a field among the unknown ones', { tags: ['a'], extra: { tags: ['b'] } }, '"tags.0" is "a"'],
    ['a field that would be read', { extra: { tags: ['b'] } }, '"tags'],
    ['a misspelt field that restricts', { extra: { allowed_tools: 'Read' } }, '"allowed_tools"'],
    ['a date', { extra: { a: [new Date(0)] } }, '"extra.a.0" is "1970-01-01T00:00:00.000Z"'],
    ['a function', { extra: { a: () => 1 } }, '"extra" holds what YAML cannot'],
    ['another type than the body has', { type: 'script' }, 'the body has no fenced code block'],
    ['a frontmatter over 32 KiB', { extra: { a: 'x'.repeat(33_000) } }, '32768 bytes'],
    ['more than a frontmatter may hold', { extra: { a: Array.from({ length: 5000 }, () => 1) } }, '2000 values'],
  ])('[MAN-13] is none where it cannot say what it should: %s', async (_, more, message) => {
    await expect(renderSkill({ manifest: of(more), body: 'Text.' })).rejects.toMatchObject({
      name: 'SkillError',
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining(message),
    })
  })

  it('[MAN-13] is none of what holds itself, or of a file over 1 MiB', async () => {
    const extra: Record<string, unknown> = {}
    extra.self = extra
    await expect(renderSkill({ manifest: of({ extra }), body: '' })).rejects.toMatchObject({
      message: expect.stringContaining('"extra" holds what YAML cannot'),
    })
    await expect(renderSkill({ manifest: BASE, body: 'x'.repeat(1024 * 1024) })).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('1048576'),
    })
    await expect(renderSkill({ manifest: BASE })).rejects.toThrow('pass a body or a definition')
  })

  it('[MAN-13] changes nothing of what it is given', async () => {
    const freeze = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze)
      return Object.freeze(value)
    }
    const manifest = freeze(of({ type: 'composite', extra: { a: [{ b: 1 }] }, scope: { agents: ['x'] } }))
    const definition = freeze<SkillDefinition>({ type: 'composite', steps: [{ tool: 'Read', parameters: { a: [1] } }] })
    expect(await parseSkill(await renderSkill({ manifest, definition }))).toMatchObject({ manifest, definition })
  })
})

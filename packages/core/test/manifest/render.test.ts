import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRule } from '../../src/manifest/fields/allowed-tools.ts'
import { FIELDS, findMisspelled } from '../../src/manifest/fields/fields.ts'
import { parseSkill } from '../../src/manifest/parse.ts'
import { renderSkill } from '../../src/manifest/render.ts'
import type { CompositeStep, Manifest, SkillDefinition, ToolRule } from '../../src/ports/manifest.ts'

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
      '\n```yaml\nsteps:\n  - tool: Read\n    parameters:\n      path: a.md\n  - tool: Bash\n    description: Last.\n```\n',
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
    ['a name that is a path', { name: '../x' }, 'the name "../x" holds a path separator'],
    ['a name with blanks around it', { name: ' pdf' }, '"name" is " pdf" and would be read back as "pdf"'],
    ['no description', { description: '' }, 'the description is empty'],
    ['blanks around a description', { description: 'a\n' }, '"description" is "a<U+000A>"'],
    ['a lone surrogate', { description: 'a\uD800' }, 'U+D800'],
    ['NUL', { metadata: { a: '\0' } }, 'U+0000'],
    ['a hidden character that a program would read', { model: 'a\u200Bb' }, 'U+200B'],
    ['a rule that is none', { allowedTools: [{ tool: 'Bash', pattern: 'a)(b' }] }, 'allowed-tools'],
    ['an agent of a skill that does not fork', { agent: 'x' }, '"agent" is "x" and would be read back as absent'],
    ['a reserved key', { metadata: JSON.parse('{"constructor": "x"}') }, '"constructor" is reserved'],
    ['a field among the unknown ones', { tags: ['a'], extra: { tags: ['b'] } }, '"extra" holds "tags"'],
    ['a field that would be read', { extra: { tags: ['b'] } }, '"tags'],
    ['a misspelt field that restricts', { extra: { allowed_tools: 'Read' } }, '"allowed_tools"'],
    ['a date', { extra: { a: [new Date(0)] } }, '"extra.a.0" is no plain object'],
    ['a function', { extra: { a: () => 1 } }, '"extra.a" is a function'],
    ['nothing as a value', { extra: { a: undefined } }, '"extra.a" is undefined'],
    ['another type than the body has', { type: 'script' }, 'the body has no fenced code block'],
    ['a frontmatter over 32 KiB', { extra: { a: 'x'.repeat(33_000) } }, '32768 bytes'],
    ['more than a frontmatter may hold', { extra: { a: Array.from({ length: 5000 }, () => 1) } }, '4000 tokens'],
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
      message: expect.stringContaining('holds itself'),
    })
    await expect(renderSkill({ manifest: BASE, body: 'x'.repeat(1024 * 1024) })).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('1048576'),
    })
    await expect(renderSkill({ manifest: BASE })).rejects.toThrow(TypeError)
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

describe('what is written and read again', { timeout: 120_000 }, () => {
  /** Pieces that YAML and Markdown make something of. */
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\t',
      ': ',
      ' #',
      "'",
      '"',
      '- ',
      '\\',
      '---',
      '```',
      '~~~',
      '{{ x }}',
      'script: ',
      '> ',
      '| ',
    ),
    fc.constantFrom(
      'true',
      'null',
      '1.10',
      '2024-01-01',
      '&a',
      '*a',
      '!a',
      '%',
      '@',
      '[',
      ']',
      '{',
      '}',
      ',',
      '  ',
      'é',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  )
  const any = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('').replaceAll(/[^\P{C}\n\t]/gu, ''))
  const text = any.map((value) => value.trim()).filter((value) => value !== '')
  const line = text.map((value) => value.replaceAll(/[\n\t]/g, ' ').trim()).filter((value) => value !== '')
  const visible = line
    .map((value) => value.replaceAll(/\p{Default_Ignorable_Code_Point}|(?! )\p{Z}/gu, '').trim())
    .filter((value) => value !== '')
  const tool = fc.stringMatching(/^[A-Za-z_][\w:-]{0,6}$/)
  const rule: fc.Arbitrary<ToolRule> = fc.oneof(
    fc.record({ tool }),
    fc.record({ tool: fc.constant('mcp__server__*') }),
    fc.record({ tool, pattern: fc.stringMatching(/^[a-z"'#,@]([ ,a-z"'#&*{}[\]|>%-]{0,12}[a-z"'])?(:\*)?$/) }),
  )
  const safeKey = (value: string) => !['__proto__', 'constructor', 'prototype', '<<'].includes(value)
  const key = fc
    .oneof(fc.stringMatching(/^[a-z][\w -]{0,8}$/), fc.constantFrom('1', 'true', 'a: b', '"', '#', 'yes'))
    .map((value) => value.trim())
    .filter(safeKey)
  const json = fc
    .jsonValue({ maxDepth: 3 })
    .filter((value) => !/__proto__|constructor|prototype|<</.test(JSON.stringify(value)))
  const unknown = fc
    .stringMatching(/^[a-z][a-z_-]{0,8}$/)
    .filter((value) => safeKey(value) && !FIELDS.has(value) && findMisspelled(value) === undefined)

  const standard = {
    name: fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/),
    description: text,
    license: any,
    compatibility: text,
    metadata: fc.dictionary(key, any),
    allowedTools: fc.array(rule, { maxLength: 5 }),
  }
  const extension = {
    status: fc.constantFrom<Manifest['status']>('active', 'draft', 'disabled'),
    parameters: fc
      .dictionary(fc.constantFrom('a', 'b'), fc.constantFrom({ type: 'string' }, {}), { maxKeys: 2 })
      .map((properties): Manifest['parameters'] => ({ type: 'object', properties })),
    source: visible.map((value) => value.replaceAll(/\s/g, '')).filter((value) => value !== ''),
    createdBy: visible,
    model: visible,
    context: fc.constantFrom<Manifest['context']>('inherit', 'fork'),
    agent: visible,
    hooks: fc.record({ pre: fc.array(visible), post: fc.array(visible) }),
    priority: fc.integer(),
    tags: fc.array(visible),
    scope: fc.record(
      { agents: fc.array(visible), tenants: fc.array(visible), environments: fc.array(visible) },
      { requiredKeys: [] },
    ),
    toolsets: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}:[A-Z][a-z]{0,5}$/)),
    triggers: fc.record({
      keywords: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/)),
      verbs: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/)),
      patterns: fc.uniqueArray(fc.constantFrom('^a.*b$', '[0-9]+: #x', '\\bpdf\\b', '"q"', "'")),
    }),
    argumentHint: visible,
    whenToUse: text,
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    disallowedTools: fc.array(rule, { maxLength: 5 }),
    extra: fc.dictionary(unknown, json, { maxKeys: 4 }),
  }
  const step: fc.Arbitrary<CompositeStep> = fc.record(
    { tool: visible, parameters: fc.dictionary(key, json, { maxKeys: 3 }), description: any },
    { requiredKeys: ['tool', 'parameters'] },
  )
  const some = any.filter((value) => value.trim() !== '')
  const ended = fc.tuple(some, fc.constantFrom('\n', '\r\n', '\r')).map(([value, end]) => value.replaceAll('\n', end))
  const definition: fc.Arbitrary<SkillDefinition> = fc.oneof(
    fc.record({ type: fc.constant('instruction'), content: fc.oneof(any, ended) }),
    fc.record({ type: fc.constant('composite'), steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
    fc.record(
      {
        type: fc.constant('script'),
        script: fc.oneof(some, ended),
        language: fc.constantFrom('sh', 'python', 'yaml', 'json', 'yml', 'c++', 'a b', '`', 'true', '2024-01-01'),
      },
      { requiredKeys: ['type', 'script'] },
    ),
    fc.record({ type: fc.constant('template'), template: fc.oneof(some, ended) }),
  )

  const required = ['name', 'description', 'metadata'] as const
  const full = fc.tuple(
    fc.record(standard, { requiredKeys: [...required] }),
    fc.record(extension, { requiredKeys: [] }),
    definition,
  )

  it('[MAN-13] is the same: every field, all four types', async () => {
    await fc.assert(
      fc.asyncProperty(full, async ([known, { agent, ...more }, defined]) => {
        const manifest = of({
          ...known,
          ...more,
          type: defined.type,
          ...(more.context === 'fork' && agent !== undefined ? { agent } : {}),
        } as Partial<Manifest>)
        const written = await renderSkill({ manifest, definition: defined })
        const document = await parseSkill(written, { folderName: manifest.name })
        expect(document.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(document.manifest).toEqual(manifest)
        expect(document.definition).toEqual(defined)
        // And what is read can be written again.
        expect(await renderSkill({ ...document, manifest })).toBe(written)
      }),
      { numRuns: 400 },
    )
  })

  it('[MAN-13, MAN-3] is the same in strict, where it has the fields of the standard only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(standard, { requiredKeys: [...required] }), any, async (known, body) => {
        const manifest = of(known)
        const written = await renderSkill({ manifest, body })
        const document = await parseSkill(written, { profile: 'strict', folderName: manifest.name })
        expect(document.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(document).toMatchObject({ manifest, body })
      }),
      { numRuns: 200 },
    )
  })

  it('[MAN-13] has the rules as one string that the standard knows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 6 }), async (allowedTools) => {
        const written = await renderSkill({ manifest: of({ allowedTools }), body: '' })
        const { diagnostics, manifest } = await parseSkill(written, { profile: 'strict' })
        expect(diagnostics).toEqual([])
        expect(manifest?.allowedTools?.map(formatRule)).toEqual(allowedTools.map(formatRule))
      }),
    )
  })
})

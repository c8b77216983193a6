import { createSkillExecutor, openRepertoire } from '@repertoire/core'
import { compositeSkill, instructionSkill, scriptSkill, createSkillRegistry, openFileStore } from '@repertoire/library'
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  integer,
  oneof,
  string,
  stringMatching,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryStore } from '../temporary-folder.ts'

const layer = 'personal'
const base = { name: 'skill_taken', description: 'Of the host.', inputSchema: { type: 'object' } }
const plan = {
  name: 'plan',
  description: 'A plan.',
  type: 'composite',
  definition: { steps: [{ tool: 'read', parameters: {} }] },
}

describe('create', () => {
  it('[LIB-2] saves every type of skill as active', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    await registry.create(plan)
    await registry.create({ name: 'count', description: 'Counts.', type: 'script', definition: { script: 'wc -l\n' } })
    await registry.create({
      name: 'letter',
      description: 'A letter.',
      type: 'template',
      definition: { template: 'Dear all,\n' },
    })
    await registry.create({ name: 'empty', description: 'Says nothing.', type: 'instruction' })
    const found = await registry.store.listActive()
    expect(found.map(({ manifest }) => [manifest.name, manifest.type, manifest.status])).toEqual([
      ['count', 'script', 'active'],
      ['empty', 'instruction', 'active'],
      ['letter', 'template', 'active'],
      ['plan', 'composite', 'active'],
    ])
  })

  it.each([
    ['an unknown type', { type: 'macro' }, /not one of instruction, composite, script, template/],
    ['no steps', { type: 'composite' }, /no code block holds a plan/],
    ['steps that are no list', { type: 'composite', definition: { steps: 'x' } }, /"steps" is text, not a list/],
    ['an empty plan', { type: 'composite', definition: { steps: [] } }, /no step/],
    ['a step without a tool', { type: 'composite', definition: { steps: [{}] } }, /Step 1 names no tool/],
    ['a step with an unknown key', { type: 'composite', definition: { steps: [{ tool: 'a', if: 'b' }] } }, /if/],
    ['no script', { type: 'script', definition: {} }, /"definition.script" is absent/],
    ['a dangerous script', { type: 'script', definition: { script: 'rm -rf /\n' } }, /dangerous/],
    [
      'a template that is no text',
      { type: 'template', definition: { template: 1 } },
      /The value of "template" is a number/,
    ],
    ['a template that does not end', { type: 'template', definition: { template: '{% if a %}' } }, /not created/],
    ['a language that nothing reads', { type: 'script', definition: { script: 'x', language: 'cobol' } }, /cobol/],
    [
      'a template with a variable that is no parameter',
      { type: 'template', definition: { template: '{{ nmae }}' }, parameters: { name: 'string' } },
      /nmae/,
    ],
    ['a rule that is not closed', { type: 'instruction', allowedTools: ['Bash(git'] }, /Bash\(git/],
    [
      'parameters of no known type',
      { type: 'template', parameters: { name: 'text' }, definition: { template: '' } },
      /JSON Schema/,
    ],
    ['content that is no text', { type: 'instruction', definition: { content: 1 } }, /"definition.content" is 1/],
    ['no description', { type: 'instruction', description: '' }, /description/],
    ['a name that leads out', { type: 'instruction', name: '../x' }, /name/],
  ])('[LIB-2] refuses %s, and saves nothing', async (_, skill, message) => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const failure = { code: 'MANIFEST_INVALID', message: expect.stringMatching(message) as string }
    await expect(registry.create({ name: 'bad', description: 'Bad.', ...skill })).rejects.toMatchObject(failure)
    expect(await registry.store.listActive()).toEqual([])
  })

  it('[LIB-2] takes rules as texts, and parameters in their short form', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const { manifest } = await registry.create({
      name: 'greet',
      description: 'Greets.',
      type: 'template',
      definition: { template: 'Hi {{ name }}, {{ title }}' },
      allowedTools: ['exec', 'Bash(git:*)', 'Read(a/**)'],
      disallowedTools: ['Delete'],
      parameters: { name: 'string', title: { type: 'string', required: true } },
    })
    expect(manifest.allowedTools).toEqual([
      { tool: 'exec' },
      { tool: 'Bash', pattern: 'git:*' },
      { tool: 'Read', pattern: 'a/**' },
    ])
    expect(manifest.disallowedTools).toEqual([{ tool: 'Delete' }])
    const none = { name: 'none', description: 'No tool.', type: 'instruction', allowedTools: [] }
    expect((await registry.create(none)).manifest.allowedTools).toEqual([])
    expect(manifest.parameters).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, title: { type: 'string' } },
      required: ['title'],
    })
  })

  it('[LIB-1, LIB-2] a store says what is wrong with content of another shape', async () => {
    const store = await temporaryStore()
    const manifest = { name: 'a', description: 'A.' }
    const contents = [
      [undefined, /no manifest/],
      [{}, /no manifest/],
      [{ manifest: {} }, /no manifest/],
      [{ manifest }, /neither a body nor a definition/],
      [{ manifest: { ...manifest, allowedTools: ['exec'] }, body: '' }, /is not a list of rules/],
      [{ manifest: { ...manifest, parameters: { a: 'string' } }, body: '' }, /"parameters\.a" is "string"/],
    ] as const
    for (const [content, message] of contents) {
      await expect(store.save(content as never)).rejects.toMatchObject({
        code: 'MANIFEST_INVALID',
        message: expect.stringMatching(message) as string,
      })
    }
  })

  it('[LIB-2] refuses a name that is taken', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    await registry.create(plan)
    await expect(registry.create(plan)).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
  })
})

describe('loaded skills', () => {
  it('[LIB-2] are none before a load, then the dynamic ones alone, and no name is among all tools twice', async () => {
    const store = await temporaryStore()
    const earlier = createSkillRegistry({ store })
    await earlier.create(plan)
    await earlier.create({ ...plan, name: 'taken' })
    const registry = createSkillRegistry({ store, tools: [base] })
    expect(registry.loadedSkills()).toEqual([])
    expect(registry.allTools()).toEqual([base])
    const loaded = await registry.load()
    expect(loaded.map(({ name }) => name)).toEqual(['skill_plan', 'skill_taken'])
    expect(registry.loadedSkills()).toBe(loaded)
    expect(registry.allTools().map(({ name }) => name)).toEqual(['skill_taken', 'skill_plan'])
    expect(registry.allTools()[0]).toBe(base)
    await registry.create({ ...plan, name: 'later' })
    expect(registry.loadedSkills().map(({ name }) => name)).toEqual(['skill_later', 'skill_plan', 'skill_taken'])
    expect(loaded).toHaveLength(2)
  })

  it('[LIB-2] hold what was created or activated, also if nothing was loaded before', async () => {
    const store = await temporaryStore()
    const names = (registry: ReturnType<typeof createSkillRegistry>) => registry.loadedSkills().map(({ name }) => name)
    const creating = createSkillRegistry({ store })
    await creating.create(plan)
    expect(names(creating)).toEqual(['skill_plan'])
    await store.save({ manifest: { name: 'draft', description: 'A draft.', status: 'draft' }, body: '' })
    const activating = createSkillRegistry({ store })
    await activating.activate('draft')
    expect(names(activating)).toEqual(['skill_draft', 'skill_plan'])
    const off = createSkillRegistry({ store, enabled: false })
    await off.create({ ...plan, name: 'other' })
    expect(names(off)).toEqual([])
  })

  it('[LIB-2] are whole for whoever reads beside loads that run', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    for (let number = 0; number < 5; number++) await registry.create({ ...plan, name: `plan-${number}` })
    const loads = Promise.all(Array.from({ length: 5 }, () => registry.load()))
    const sizes = new Set<number>()
    for (let round = 0; round < 50; round++) {
      sizes.add(registry.loadedSkills().length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await loads
    expect([...sizes].every((size) => size === 0 || size === 5)).toBe(true)
    expect(registry.loadedSkills()).toHaveLength(5)
  })
})

it('[LIB-2, CAT-8] activating sets the stored status, and what is created or activated is in an open catalog at once', async () => {
  const root = temporaryFolder()
  const store = await openFileStore({ root, layer })
  const repertoire = await openRepertoire({ sources: [store] })
  try {
    const registry = createSkillRegistry({ store, repertoire })
    expect(registry.store).toBe(store)
    await store.save({ manifest: { name: 'draft', description: 'A draft.', status: 'draft' }, body: 'Text.\n' })
    await registry.create(plan)
    expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['plan'])
    const { manifest, body } = await registry.activate('draft')
    expect([manifest.status, body]).toEqual(['active', 'Text.\n'])
    expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['draft', 'plan'])
    await expect(registry.activate('drafts')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', nearest: ['draft'] })
  } finally {
    await repertoire.close()
  }
})

describe('the builder', () => {
  it('[LIB-3] makes a plan of the calls that succeeded, in their order', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const { definition, manifest } = await registry.create(
      compositeSkill({
        name: 'fix',
        description: 'Fixes.',
        executions: [
          { tool: 'read', parameters: { path: 'a' } },
          { tool: 'write', parameters: { path: 'b' }, ok: false },
          { tool: 'write', parameters: { path: 'b', text: 'x' }, description: 'Writes it.' },
          { tool: 'read', parameters: { path: 'a' } },
        ],
      }),
    )
    expect(definition).toEqual({
      type: 'composite',
      steps: [
        { tool: 'read', parameters: { path: 'a' } },
        { tool: 'write', parameters: { path: 'b', text: 'x' }, description: 'Writes it.' },
        { tool: 'read', parameters: { path: 'a' } },
      ],
    })
    expect([manifest.status, manifest.createdBy, manifest.source]).toEqual(['active', 'builder', undefined])
    expect(() =>
      compositeSkill({ name: 'fix', description: 'Fixes.', executions: [{ tool: 'a', ok: false }] }),
    ).toThrow(/none of its 1 calls/)
  })

  it('[LIB-3] makes a script skill', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const { definition } = await registry.create(
      scriptSkill({ name: 'count', description: 'Counts.', script: 'print(1)\n', language: 'python' }),
    )
    expect(definition).toEqual({ type: 'script', script: 'print(1)\n', language: 'python' })
  })

  it('[LIB-3, LIB-4] makes a skill of instructions whose source is the origin for imported ones and absent for local ones', async () => {
    const registry = createSkillRegistry({ store: await openFileStore({ root: temporaryFolder(), layer }) })
    await registry.create(
      instructionSkill({
        name: 'imported',
        description: 'From elsewhere.',
        content: 'Text.\n',
        source: 'https://example.com/x',
      }),
    )
    await registry.create(instructionSkill({ name: 'local', description: 'From here.', content: 'Text.\n' }))
    const { manifest } = await registry.store.get('imported')
    expect([manifest.source, manifest.createdBy, manifest.status]).toEqual([
      'https://example.com/x',
      'import',
      'active',
    ])
    const local = await registry.store.get('local')
    expect(local.manifest.source).toBeUndefined()
    expect(new TextDecoder().decode(await local.folder.readManifest())).not.toContain('source')
  })

  it('[LIB-3] keeps the parameters of every call, whatever they hold', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const text = string({ maxLength: 30 })
    const piece = constantFrom('{{', '}}', ' ', 'name', '{{ name }}', '\\')
    const braces = array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
    const value = oneof(integer(), boolean(), text, braces, array(braces, { maxLength: 2 }))
    const parameters = dictionary(stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 4 })
    await assert(
      asyncProperty(array(parameters, { minLength: 1, maxLength: 3 }), async (all) => {
        await registry.create(
          compositeSkill({
            name: 'p',
            description: 'P.',
            executions: all.map((each) => ({ tool: 'read', parameters: each })),
          }),
        )
        const { definition } = await registry.store.get('p')
        await registry.store.delete('p')
        const called: unknown[] = []
        const executor = createSkillExecutor({
          runStep: ({ parameters: given }) => {
            called.push(given)
            return Promise.resolve({ ok: true, value: 'result' })
          },
        })
        expect(await executor.execute({ name: 'p', definition })).toMatchObject({
          ok: true,
          value: { run: { ok: true } },
        })
        expect(called).toEqual(all.map((each) => ({ ...each })))
      }),
      { numRuns: 25 },
    )
  })
})

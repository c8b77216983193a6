import { createSkillRegistry, openFileStore } from '@repertoire/library'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryStore } from '../temporary-folder.ts'

const layer = 'personal'

describe('the file of a stored skill', () => {
  const DRAFT = [
    '---',
    '# Why this skill is here.',
    'name: draft   # the name',
    'description: "A draft."',
    '',
    'status:  "draft" # not yet',
    'metadata: { by: me }',
    'custom: 1',
    '---',
    'Text.  ',
    'status: draft',
    '',
  ]

  it.each(['\n', '\r\n'])('[LIB-2] changes in its status only when it is activated (line ends %j)', async (end) => {
    const root = temporaryFolder()
    const store = await openFileStore({ root, layer })
    const file = join(root, 'draft', 'SKILL.md')
    mkdirSync(join(root, 'draft'))
    writeFileSync(file, DRAFT.join(end))
    const { manifest } = await createSkillRegistry({ store }).activate('draft')
    expect(manifest).toMatchObject({ status: 'active', extra: { custom: 1 } })
    expect(readFileSync(file, 'utf8')).toBe(DRAFT.join(end).replace('"draft" # not yet', 'active # not yet'))
  })

  it('[LIB-2] stays as it is if its status is written in a form that is not edited', async () => {
    const root = temporaryFolder()
    const store = await openFileStore({ root, layer })
    const file = join(root, 'draft', 'SKILL.md')
    mkdirSync(join(root, 'draft'))
    const text = '---\n{ name: draft, description: D, status: draft }\n---\n'
    writeFileSync(file, text)
    await expect(createSkillRegistry({ store }).activate('draft')).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('Write "status: active" there') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('[LIB-1] states its type and its status, also if they are the default', async () => {
    const store = await temporaryStore()
    const textOf = async (name: string) => new TextDecoder().decode(await (await store.get(name)).folder.readManifest())
    await store.save({ manifest: { name: 'plain', description: 'A.' }, body: 'Text.\n' })
    expect(await textOf('plain')).toBe(
      '---\nname: plain\ndescription: A.\ntype: instruction\nstatus: active\n---\nText.\n',
    )
    await store.save({
      manifest: { name: 'draft', description: 'A.', type: 'script', status: 'draft' },
      body: '```sh\nls\n```\n',
    })
    expect(await textOf('draft')).toContain('\ntype: script\nstatus: draft\n---\n')
  })

  it('[LIB-1] is the text that is given, which reads as what is given beside it', async () => {
    const store = await temporaryStore()
    const text = '---\n# Kept.\nname: own\ndescription: A.\n---\nText.\n'
    const content = { manifest: { name: 'own', description: 'A.' }, body: 'Text.\n', text }
    const stored = await store.save(content).then(async () => store.get('own'))
    expect(new TextDecoder().decode(await stored.folder.readManifest())).toBe(text)
    const other = { ...content, manifest: { ...content.manifest, license: 'MIT' } }
    await expect(store.save(other)).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('"license" is "MIT" and would be read back as absent') as string,
    })
  })
})

describe('what is no skill', () => {
  const skill = { name: 'a', description: 'A.', type: 'instruction' }

  it.each<readonly [string, unknown, RegExp]>([
    ['nothing', undefined, /The skill is not created: it is not an object\. Pass \{ name/],
    ['a text', 'a', /it is not an object/],
    ['no name', { ...skill, name: undefined }, /^The skill is not created: its `name` is missing/],
    ['no description', { ...skill, description: undefined }, /its `description` is missing/],
    ['no type', { ...skill, type: undefined }, /`type` is not one of instruction, composite, script, template/],
    ['a list as definition', { ...skill, definition: ['x'] }, /its `definition` is not an object/],
    [
      'a script without a definition',
      { ...skill, type: 'script', script: 'ls' },
      /"script" is "ls"|"definition.type" is "script"|absent/,
    ],
    ['a body', { ...skill, body: 'Text.' }, /"body" is/],
    ['a status', { ...skill, status: 'draft' }, /its status is "active"/],
    ['an unknown property', { ...skill, licence: 'MIT' }, /"licence" is "MIT" and would be read back as absent/],
    ['a number as metadata', { ...skill, metadata: { a: 5 } }, /"metadata\.a" is 5 and would be read back as "5"/],
  ])('[LIB-2] is not created, and the message says why: %s', async (_, given, message) => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const failure = { name: 'SkillError', code: 'MANIFEST_INVALID', message: expect.stringMatching(message) as string }
    await expect(registry.create(given as never)).rejects.toMatchObject(failure)
    await registry.create(skill)
  })

  it.each<readonly [string, object, RegExp]>([
    ['a number as body', { body: 5 }, /"body" is 5/],
    ['a text as definition', { definition: 'x' }, /the definition is not an object/],
    ['a definition without a type', { definition: {} }, /"definition\.type" is absent/],
    ['a script without a script', { definition: { type: 'script' } }, /"definition\.type" is "script"/],
    ['steps that are no list', { definition: { type: 'composite', steps: 1 } }, /"definition\.type" is "composite"/],
    [
      'a part of another type',
      { definition: { type: 'template', template: '', script: '' } },
      /"definition\.type" is "template"/,
    ],
  ])('[LIB-1] is not saved, and the message says why: %s', async (_, given, message) => {
    const store = await temporaryStore()
    const failure = { name: 'SkillError', code: 'MANIFEST_INVALID', message: expect.stringMatching(message) as string }
    await expect(store.save({ manifest: { name: 'a', description: 'A.' }, ...given })).rejects.toMatchObject(failure)
  })

  it.each<readonly [string, unknown, RegExp]>([
    ['nothing', undefined, /not a Map\. Pass a Map of files/],
    ['an object', { 'SKILL.md': 'text' }, /not a Map/],
    ['a text', new Map([['SKILL.md', 'text']]), /"SKILL\.md" has no `bytes`, a Uint8Array/],
    ['bytes', new Map([['SKILL.md', new Uint8Array(1)]]), /has no `bytes`/],
    ['a text as bytes', new Map([['SKILL.md', { bytes: 'text' }]]), /has no `bytes`/],
  ])('[LIB-1] does not replace a skill, and the message says why: %s', async (_, files, message) => {
    for (const store of [await temporaryStore(), await openFileStore({ root: temporaryFolder(), layer })]) {
      const replacing = store.replace('a', files as never)
      await expect(replacing).rejects.toThrow(TypeError)
      await expect(replacing).rejects.toThrow(message)
    }
  })
})

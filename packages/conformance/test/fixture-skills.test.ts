import { openRepertoire, type Profile } from '@repertoire/core'
import { groupResources } from '@repertoire/core/authoring'
import { packageSource } from '@repertoire/core/node'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openAdapterSession } from '@repertoire/core/adapter'
import { describe, expect, it } from 'vitest'
import { fixtureSkills } from '../src/fixture-skills.ts'

const open = (profile: Profile) => openRepertoire({ sources: [fixtureSkills()], catalog: { profile } })

describe('the fixture skills', () => {
  it('[DEMO-2] load without an error, one each of the types script, template and composite among them', async () => {
    const { catalog } = await open('default')
    expect(catalog.list().map(({ name, manifest }) => [name, manifest.type])).toEqual([
      ['commit-message', 'template'],
      ['git-history', 'instruction'],
      ['release-check', 'composite'],
      ['release-notes', 'instruction'],
      ['repo-survey', 'instruction'],
      ['safe-edit', 'instruction'],
      ['test-first-fix', 'instruction'],
      ['word-count', 'script'],
    ])
    expect(catalog.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('[DEMO-2, MAN-8] show the three ways to write allowed-tools: spaces, which strict takes alone, a list, and commas', async () => {
    const strict = (await open('strict')).catalog
    expect(strict.list().map(({ name }) => name)).toEqual(['git-history', 'release-notes', 'repo-survey'])
    const formats = strict.diagnostics.filter(({ code }) => code === 'ALLOWED_TOOLS_FORMAT')
    expect(formats).toHaveLength(2)
    const { catalog } = await open('default')
    expect(catalog.get('safe-edit').manifest.allowedTools).toEqual([
      { tool: 'Read' },
      { tool: 'Write', pattern: 'docs/**' },
      { tool: 'Bash', pattern: 'git diff:*' },
    ])
    expect(catalog.get('test-first-fix').manifest.allowedTools).toHaveLength(4)
  })

  it('[DEMO-2] do what their types say: a template is rendered with its parameters, and a plan is shown', async () => {
    const repertoire = await open('default')
    const session = openAdapterSession(repertoire, { consent: () => true })
    await session.step({ tools: ['Read', 'Bash'] })
    const ask = async (name: string, parameters?: object): Promise<string> => {
      const args = parameters && JSON.stringify(parameters)
      const call = { id: name, tool: 'activate_skill', input: { name, args } }
      const outcome = await session.call(call, () => undefined)
      return (outcome.ok ? outcome.text : outcome.refusal.code) ?? ''
    }
    expect(await ask('commit-message', { summary: 'Add a page', issue: 7 })).toMatch(
      /^<skill_result .*>\ncode: Add a page\n\nCloses #7\.\n<\/skill_result>$/,
    )
    expect(await ask('commit-message', { area: 'docs' })).toBe('INPUT_INVALID')
    expect(await ask('release-check')).toContain('3. `Bash` {"command":"git log --oneline -5"}')
    await session.end()
  })

  it('[DISC-8] are not found in the package by projects that install it to judge an adapter', async () => {
    const project = fileURLToPath(new URL('../../cli', import.meta.url))
    const source = packageSource({ project, packages: ['@repertoire/conformance'] })
    const { catalog } = await openRepertoire({ sources: [source] })
    expect(catalog.list()).toEqual([])
    // Named, it says that it has none.
    expect(catalog.diagnostics).toMatchObject([{ code: 'ROOT_WITHOUT_SKILLS' }])
  })

  it('[DEMO-2] have among them one with a reference, an asset and scripts that can be run', async () => {
    const { files } = await (await open('default')).catalog.get('release-notes').folder.list()
    const { references, assets, scripts } = groupResources(files)
    expect(references.map(({ path }) => path)).toEqual(['references/style.md'])
    expect(assets.map(({ path }) => path)).toEqual(['assets/template.md'])
    expect(scripts).toMatchObject([
      { path: 'scripts/collect.sh', executable: true },
      { path: 'scripts/heading.sh', executable: true },
    ])
  })

  it.each([
    [['1.2.0'], 0, '## 1.2.0\n\n<!-- a minor version -->\n'],
    [['2.0.0', 'High; tide $(id)'], 0, '## 2.0.0: High; tide $(id)\n\n<!-- a major version -->\n'],
    [['1.2.3', ''], 0, '## 1.2.3\n\n<!-- a patch -->\n'],
    [['v1'], 2, ''],
    [[], 2, ''],
  ])('[DEMO-2] have a script that takes arguments: with %j it ends with %i', (args, code, output) => {
    const script = fileURLToPath(new URL('../fixtures/skills/release-notes/scripts/heading.sh', import.meta.url))
    const { status, stdout, stderr } = spawnSync('sh', [script, ...args], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: code, stdout: output })
    expect(stderr === '').toBe(code === 0)
  })

  it('[DEMO-2] have among them one whose rules speak of commands, paths and addresses', async () => {
    const patterns = (await open('default')).catalog
      .get('git-history')
      .manifest.allowedTools?.map(({ pattern }) => pattern)
    expect(patterns).toEqual(['git log:*', 'git show:*', 'git blame:*', 'docs/**', 'domain:github.com'])
  })
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RepertoireOptions, Skill } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'
import { skillText } from '../session/session-world.ts'
import { longTask, words } from '../session/window/window-world.ts'
import { openShown, send, source } from './shown-world.ts'

describe('a skill that is not in the list', () => {
  const left = async (options: Partial<RepertoireOptions>, session: object = {}) => {
    const { session: opened, steps } = await openShown(options, session)
    await send(opened)
    return steps()[0]!.left
  }

  it.each([
    [
      'skills',
      '',
      { skills: ['other'] },
      'The allowlist `skills` of the session does not name it. Add it to the option `skills`.',
    ],
    [
      'agents',
      'scope:\n  agents: [coder]\n',
      {},
      'Its `scope.agents` does not name the agent. Open the session with an `agent` that it names.',
    ],
    [
      'tenants',
      'scope:\n  tenants: [acme]\n',
      {},
      'Its `scope.tenants` does not name the tenant. Open the session with a `tenant` that it names.',
    ],
    [
      'environments',
      'scope:\n  environments: [live]\n',
      {},
      'Its `scope.environments` does not name the environment. Open the session with an `environment` that it names.',
    ],
    [
      'models',
      'disable-model-invocation: true\n',
      {},
      'Its `disable-model-invocation` keeps it from every model. A person can invoke it by `/` and its name.',
    ],
  ])('[OBS-6] is said to be hidden, with what to do: %s', async (_, fields, session, reason) => {
    expect(await left({ sources: [source({ pdf: skillText('pdf', fields) })] }, session)).toEqual([
      { name: 'pdf', why: 'hidden', reason },
    ])
  })

  it('[OBS-6] is said to be broken, shadowed, refused or not active, with what to do', async () => {
    const found = await left({
      sources: [
        source({ pdf: skillText('pdf') }, 'enterprise', 'high'),
        source({
          pdf: skillText('pdf'),
          draft: skillText('draft', 'status: draft\n'),
          wide: skillText('wide', 'allowed-tools: Bash\n'),
          odd: '---\nname: odd\ndescription: [\n---\n',
        }),
      ],
      admit: { tools: ['Read'] },
    })
    expect(found).toEqual([
      { name: 'odd', why: 'broken', reason: expect.stringMatching(/^Error YAML_INVALID on line \d: .+\.$/) as string },
      {
        name: 'pdf',
        why: 'shadowed',
        reason: expect.stringMatching(
          /^memory:high\/pdf\/SKILL\.md is used instead: the layer enterprise has precedence over project\. Rename /,
        ) as string,
      },
      { name: 'wide', why: 'refused', reason: expect.stringContaining("what the host's `admit` admits.") as string },
      { name: 'draft', why: 'inactive', reason: 'Its `status` is draft. Set it to `active`.' },
    ])
  })

  it('[OBS-6] is said to be cut by the budget, and what is shortened or has its name alone is shown so', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, skillText(`s${at}`)]))
    const sources = [source(many)]
    const { session, steps } = await openShown({
      sources,
      listing: { budget: { share: 0.001 }, search: 'never' },
    })
    const { cuts } = await session.step({ tools: [] })
    await send(session)
    const [shown] = steps()
    expect(shown!.left.length).toBeGreaterThan(0)
    expect(shown!.left.map(({ name }) => name)).toEqual(cuts.dropped)
    for (const { why, reason } of shown!.left) {
      expect(why).toBe('cut')
      expect(reason).toBe(
        'The budget of the list has no room for it. Raise `listing.budget.share`, or name the skill in `listing.budget.keep`.',
      )
    }
    expect(shown!.skills.filter(({ as }) => as === 'name').map(({ name }) => name)).toEqual(cuts.withoutDescription)
    const long = { tall: skillText('tall').replace('The skill tall.', 'word '.repeat(400)), pdf: skillText('pdf') }
    const { session: tight, steps: tightSteps } = await openShown({
      sources: [source(long)],
      listing: { budget: { share: 0.001 }, search: 'never' },
    })
    await send(tight)
    expect(tightSteps()[0]!.skills).toMatchObject([
      { name: 'pdf', as: 'whole' },
      { name: 'tall', as: 'shortened' },
    ])
  })

  it('[OBS-6] is said not to fit the task, in the style `matched`, or to have no room in the window', async () => {
    const skills = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, skillText(name)]))
    const { session, steps } = await openShown(
      {
        sources: [source(skills)],
        listing: { style: 'matched', budget: false },
        catalog: { rank: () => ['c', 'a'] },
        context: { window: 80, countTokens: words, summaries: { summarize: false, keepSkills: 1 } },
      },
      { turns: { match: {} } },
    )
    await session.beginTurn('c, then a')
    await send(session, { messages: longTask(1, 30) })
    expect(steps()[0]!.skills).toMatchObject([{ name: 'c' }])
    expect(steps()[0]!.left).toMatchObject([
      { name: 'a', why: 'cut', reason: expect.stringContaining('keepSkills') as string },
      { name: 'b', why: 'not-matched', reason: expect.stringContaining('`turns.match`') as string },
    ])
  })

  it('[OBS-6] is every skill of the catalog that is not shown, each once, whatever hides it', async () => {
    const fields = fc.constantFrom(
      '',
      'status: draft\n',
      'disable-model-invocation: true\n',
      'scope:\n  agents: [coder]\n',
      'allowed-tools: Bash\n',
    )
    const skills = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      fc.oneof(fields, fc.constant(undefined)),
    )
    const textsOf = (all: Readonly<Record<string, string | undefined>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(all).map(([name, more]) => [name, more === undefined ? '---\n[\n---\n' : skillText(name, more)]),
      )
    await fc.assert(
      fc.asyncProperty(
        skills,
        skills,
        fc.constantFrom('xml', 'tools', 'matched'),
        fc.integer({ min: 1, max: 400 }),
        async (low, high, style, window) => {
          const { session, steps, repertoire } = await openShown(
            {
              sources: [source(textsOf(high), 'enterprise', 'high'), source(textsOf(low))],
              listing: { style: style as 'xml', budget: { share: window / 200_000 } },
              admit: { tools: ['Read'] },
              catalog: { rank: () => ['a', 'c', 'none'] },
            },
            style === 'matched' ? { turns: { match: {} } } : {},
          )
          await session.beginTurn('a and c')
          await send(session)
          const [shown] = steps()
          const { catalog } = repertoire
          const names = (all: readonly Pick<Skill, 'name'>[]): readonly string[] => all.map(({ name }) => name)
          const every = [
            ...names(catalog.list()),
            ...names(catalog.shadowed.map(({ skill }) => skill)),
            ...names(catalog.inactive),
            ...names(catalog.refused.map(({ skill }) => skill)),
            ...catalog.broken.map(({ folderName }) => folderName),
          ]
          expect(names([...shown!.skills, ...shown!.left]).toSorted()).toEqual(every.toSorted())
        },
      ),
      { numRuns: 60 },
    )
  })

  it('[OBS-6, ABUSE-106] is not one that cannot be read any more, and is listed as it was', async () => {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-shown-'))
    try {
      for (const name of ['pdf', 'linked']) mkdirSync(join(root, name))
      writeFileSync(join(root, 'pdf/SKILL.md'), skillText('pdf'))
      symlinkSync(join(root, 'pdf/SKILL.md'), join(root, 'linked/SKILL.md'))
      const { session, steps, repertoire } = await openShown({ sources: [directorySource({ root, layer: 'project' })] })
      writeFileSync(join(root, 'pdf/SKILL.md'), 'broken')
      await repertoire.reload({ force: true })
      await send(session)
      expect(steps()[0]!.skills).toMatchObject([{ name: 'pdf' }])
      expect(steps()[0]!.left).toMatchObject([
        { name: 'linked', why: 'broken', reason: expect.stringContaining('MANIFEST_LINKED') as string },
      ])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../../src/index.ts'
import { makeSkills, HOST, base, write, ASKING, open, activate, use, runner } from './fork-world.ts'
import { code, activeNames } from '../outcome.ts'

makeSkills()

describe('the rights of a fork', () => {
  it('[ACT-10, GATE-6, ABUSE-45] are limited by all skills that are active above and by its own skill', async () => {
    const { session } = await open({ policy: { deny: ['Bash(git log --all:*)'] } })
    await activate(session, 'careful')
    const { fork } = runner(async ({ session: child }) => {
      return Promise.all([
        use(child, 'Read', { file_path: 'a.md' }),
        use(child, 'Write', { file_path: 'docs/a.md' }),
        use(child, 'Bash', { command: 'git log' }),
        use(child, 'Edit', { file_path: 'docs/a.md' }),
        use(child, 'Read', { file_path: join(base, 'research/scripts/find.sh') }),
        activate(child, 'free').then(code),
        use(child, 'Write', { file_path: 'docs/a.md' }),
      ]).then((outcomes) => outcomes.join(' '))
    })
    const outcome = await activate(session, 'research', fork)
    expect(outcome).toMatchObject({
      value: {
        result: 'ran TOOL_NOT_ALLOWED TOOL_NOT_ALLOWED TOOL_NOT_ALLOWED SCRIPT_READ_BLOCKED ok TOOL_NOT_ALLOWED',
      },
    })
    expect(await use(session, 'Write', { file_path: 'docs/a.md' })).toBe('ran')
  })

  it('[ACT-10, ABUSE-32] include the limits of the host’s policy', async () => {
    const { session } = await open({ policy: { deny: ['Bash'] } })
    const { fork } = runner(({ session: child }) => use(child, 'Bash', { command: 'git log' }))
    expect(await activate(session, 'research', fork)).toMatchObject({ value: { result: 'TOOL_NOT_ALLOWED' } })
  })

  it('[ACT-10, SHOW-9] is offered the tool that deactivates while there is something to deactivate, and told of no other', async () => {
    const { session } = await open()
    const offered: boolean[] = []
    const { fork } = runner(async ({ session: child, instructions }) => {
      const look = async (): Promise<void> => {
        const { tools } = await adapterSession(child).step({ tools: [] })
        offered.push(tools.some(({ name }) => name === 'deactivate_skill'))
      }
      await look()
      await activate(child, 'free')
      await look()
      return instructions
    })
    const outcome = await activate(session, 'research', fork)
    expect(offered).toEqual([false, true])
    expect(JSON.stringify(outcome)).toContain('read files with read_skill_resource')
    expect(JSON.stringify(outcome)).not.toContain('deactivate_skill')
  })

  it('[ACT-10, ABUSE-45] no call in it leaves what it began with, and what it activates itself can be left', async () => {
    const { session } = await open()
    await activate(session, 'careful')
    const left: string[] = []
    const { fork } = runner(async ({ session: child }) => {
      const leave = async (input: unknown): Promise<void> => {
        left.push(code(await child.call({ id: 'd', tool: 'deactivate_skill', input }, () => '')))
      }
      await leave({})
      await leave({ name: 'research' })
      await leave({ name: 'careful' })
      await activate(child, 'free')
      await leave({})
      await leave({})
      return activeNames(child).join(' ')
    })
    expect(await activate(session, 'research', fork)).toMatchObject({ value: { result: 'careful research' } })
    expect(left).toEqual(['SKILL_PINNED', 'SKILL_PINNED', 'SKILL_PINNED', 'ok', 'SKILL_PINNED'])
    expect(activeNames(session)).toEqual(['careful'])
  })

  it('[ACT-10, ACT-12, ABUSE-45] it sees no more skills than the session above, and no person speaks in it', async () => {
    const { session } = await open({ skills: ['research', 'free', 'secret'], turns: { triggers: 'activate' } })
    const { fork } = runner(async ({ session: child }) =>
      [
        code(await activate(child, 'careful')),
        code(await activate(child, 'secret')),
        code(await child.activate('secret')),
        JSON.stringify(await adapterSession(child).beginTurn('/secret now')),
        activeNames(child).join(),
      ].join(' '),
    )
    expect(await activate(session, 'research', fork, '/secret now')).toMatchObject({
      value: {
        result: 'SKILL_NOT_FOUND SKILL_NOT_FOUND SKILL_NOT_INVOCABLE {"activated":[],"suggested":[]} research',
      },
    })
  })

  it('[ACT-10, ASK-3] without a handler no consent is asked in it; consent given in the task before still holds', async () => {
    const { session } = await open(ASKING)
    const agreed = async (name: string): Promise<void> => {
      const call = { id: `a-${name}`, tool: 'activate_skill', input: { name } }
      const request = (await adapterSession(session).preview(call, { asks: true })).waits
      session.answer({ requestId: request!.id, approved: true })
    }
    await agreed('free')
    await session.call({ id: 'a-free', tool: 'activate_skill', input: { name: 'free' } }, () => '')
    await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => '')
    await agreed('research')
    const { fork } = runner(async ({ session: child }) =>
      [
        JSON.stringify([
          (
            await adapterSession(child).preview(
              { id: 'q', tool: 'activate_skill', input: { name: 'careful' } },
              { asks: true },
            )
          ).waits,
        ]),
        (await activate(child, 'careful')).text,
        code(await activate(child, 'free')),
        adapterSession(child).state.open.length,
      ].join(' '),
    )
    const call = { id: 'a-research', tool: 'activate_skill', input: { name: 'research' } }
    const outcome = await session.call(call, () => '', { fork })
    expect(outcome.text).toMatch(/\n\[null\] .*CONSENT_DENIED.*nobody could be asked.* ok 0\n/)
  })

  it('[ACT-10] reads the files of its skill as they were agreed to', async () => {
    const { session } = await open()
    const read = (child: AdapterSession, path: string) =>
      child.call({ id: 'r', tool: 'read_skill_resource', input: { path } }, () => '').then(({ text }) => text)
    const { fork } = runner(async ({ session: child }) => {
      const before = await read(adapterSession(child), 'references/guide.md')
      write('research/references/guide.md', 'changed\n')
      return `${before} ${await read(adapterSession(child), 'references/guide.md')}`
    })
    const { text } = await activate(session, 'research', fork)
    expect(text).toContain('guide\n')
    expect(text).toContain('RESOURCE_REFUSED')
  })

  it('[ACT-10, GATE-8] in composition `top` the skills that it began with still restrict it', async () => {
    const { session } = await open({ enforcement: { from: 'top' } })
    await activate(session, 'careful')
    const { fork } = runner(async ({ session: child }) => {
      await activate(child, 'free')
      return [
        await use(child, 'Edit', { file_path: 'a' }),
        await use(child, 'Write', { file_path: 'docs/a' }),
        await use(child, 'Read', { file_path: 'a' }),
      ].join(' ')
    })
    expect(await activate(session, 'research', fork)).toMatchObject({
      value: { result: 'TOOL_NOT_ALLOWED TOOL_NOT_ALLOWED ran' },
    })
  })

  it('[ACT-10, GATE-5] are those of the step that asked for it, also where another call of its message deactivates a skill', async () => {
    const { session } = await open()
    await activate(session, 'careful')
    const step = await adapterSession(session).step({ tools: HOST })
    const { fork } = runner(({ session: child }) => activeNames(child).join(' '))
    const [left, , outcome] = await Promise.all([
      step.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => ''),
      activate(step, 'free'),
      activate(step, 'research', fork),
    ])
    expect(code(left)).toBe('ok')
    expect(outcome).toMatchObject({ value: { result: 'careful research' } })
    expect(activeNames(session)).toEqual(['free'])
  })

  const tool = fc.constantFrom('Bash', 'Read', 'Write', 'Edit')
  const rule = fc.oneof(
    tool,
    fc.constantFrom(
      'Bash(git:*)',
      'Bash(git log:*)',
      'Bash(ls)',
      'Read(docs/**)',
      'Write(docs/**)',
      'Write(docs/a.md)',
      'Edit(src/*)',
      'Bash(*)',
    ),
  )
  const rules = fc.option(fc.uniqueArray(rule, { maxLength: 4 }), { nil: undefined })
  const input = fc.record({
    tool,
    input: fc.oneof(
      fc.record({ command: fc.constantFrom('git log', 'git push', 'ls', 'ls; rm x', 'echo $(x)') }),
      fc.record({ file_path: fc.constantFrom('docs/a.md', 'docs/../a', 'src/b.ts', '/etc/passwd') }),
    ),
  })

  it('[ACT-10, GATE-6, ABUSE-45] are within those of the session above and those of the skill alone, whatever is stacked', async () => {
    const fields = (list: readonly string[] | undefined, denied: readonly string[] | undefined): string =>
      [
        ['allowed-tools', list],
        ['disallowed-tools', denied],
      ]
        .flatMap(([name, value]) => (value === undefined ? [] : [`${name as string}: ${JSON.stringify(value)}\n`]))
        .join('')
    const lists = fc.record({ allowed: rules, denied: rules })
    await fc.assert(
      fc.asyncProperty(
        fc.array(lists, { maxLength: 3 }),
        lists,
        fc.array(lists, { maxLength: 2 }),
        fc.constantFrom('all' as const, 'top' as const),
        fc.array(input, { minLength: 4, maxLength: 10 }),
        async (above, forked, below, composition, calls) => {
          const text = (name: string, list: typeof forked, more = ''): string =>
            `---\nname: ${name}\ndescription: d\n${more}${fields(list.allowed, list.denied)}---\nB\n`
          const skills = Object.fromEntries([
            ...above.map((list, n) => [`above-${n}`, { 'SKILL.md': text(`above-${n}`, list) }]),
            ['forked', { 'SKILL.md': text('forked', forked, 'context: fork\n') }],
            ['alone', { 'SKILL.md': text('alone', forked) }],
            ...below.map((list, n) => [`below-${n}`, { 'SKILL.md': text(`below-${n}`, list) }]),
          ]) as Record<string, Record<string, string>>
          const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
          const session = (): AdapterSession =>
            openAdapterSession(repertoire, { consent: () => true, enforcement: { from: composition } })
          const allowed = async (judged: AdapterSession): Promise<boolean[]> => {
            return Promise.all(calls.map(async (call) => (await use(judged, call.tool, call.input)) === 'ran'))
          }
          const parent = session()
          for (let n = 0; n < above.length; n++) expect(code(await activate(parent, `above-${n}`))).toBe('ok')
          const alone = session()
          await activate(alone, 'alone')
          const [ofParent, ofSkill] = [await allowed(parent), await allowed(alone)]
          let checked = 0
          const { fork } = runner(async ({ session: child }) => {
            for (let n = -1; n < below.length; n++) {
              if (n >= 0) expect(code(await activate(child, `below-${n}`))).toBe('ok')
              const ofChild = await allowed(adapterSession(child))
              ofChild.forEach((may, index) => {
                if (may) expect([ofParent[index], ofSkill[index]]).toEqual([true, true])
              })
              checked += 1
            }
            return 'done'
          })
          const outcome = await activate(parent, 'forked', fork)
          expect(outcome.text).toContain('done')
          expect(checked).toBe(below.length + 1)
        },
      ),
      { numRuns: 60 },
    )
  })
})

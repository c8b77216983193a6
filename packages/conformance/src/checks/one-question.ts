import type { AuditEvent, ConsentHandler, ConsentRequest, HookRun, SkillSource } from '@repertoire/core'
import { done, refusedWith, same } from './assertions.ts'
import { activate, call, deactivate, say, together } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const RESULT = 'The survey: 42 files.'

const sources = [
  writtenSkills({
    one: { body: 'Body of one.' },
    two: { body: 'Body of two.' },
    three: { body: 'Body of three.' },
    hooked: { body: 'Body of hooked.', fields: ['hooks:', '  pre: [check]', '  post: [tidy]'] },
    'survey-a': { body: 'Body of survey a.', fields: ['context: fork'] },
    'survey-b': { body: 'Body of survey b.', fields: ['context: fork'] },
  }),
]

const policy = { ask: ['Bash(git push:*)'] }

const push = (branch: string) => call('Bash', { command: `git push origin ${branch}` })

/** What a request is about. */
const subjectOf = ({ skill, input }: ConsentRequest): string =>
  skill ?? (input as { readonly command: string }).command.split(' ').at(-1)!

/** Everything here is in memory: what is asked beside a question is asked in far fewer turns. */
const TURNS = 20

/** Lets everything run that waits for nothing but a turn of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < TURNS; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** A person at one input: a line that is typed answers every question that is open then. */
function personAt(lines: readonly string[]) {
  const typed = [...lines]
  const asked: string[] = []
  let open: ((line: string) => void)[] = []
  const consent: ConsentHandler = async (request) => {
    asked.push(subjectOf(request))
    const line = new Promise<string>((resolve) => open.push(resolve))
    await settle()
    const questions = open
    open = []
    if (questions.length > 0) {
      const next = typed.shift() ?? 'n'
      for (const answer of questions) answer(next)
    }
    return (await line) === 'y'
  }
  return { asked, consent }
}

/**
 * A handler that agrees to everything, and counts the questions that are open at once.
 * @param before what each answer waits for first
 */
function countingPerson(before?: (subject: string) => Promise<void>) {
  const asked: string[] = []
  let open = 0
  let most = 0
  const consent: ConsentHandler = async (request) => {
    const subject = subjectOf(request)
    asked.push(subject)
    most = Math.max(most, ++open)
    await before?.(subject)
    await settle()
    open--
    return true
  }
  return { asked, consent, most: () => most }
}

/** The same source, but one of its skills takes longer to read than all others. */
function slowly(source: SkillSource, name: string): SkillSource {
  return {
    ...source,
    async *scan() {
      for await (const found of source.scan()) {
        if ('code' in found || !found.path.includes(name)) {
          yield found
          continue
        }
        const { folder } = found
        const readManifest = async (): Promise<Uint8Array> => {
          const bytes = await folder.readManifest()
          await settle()
          return bytes
        }
        const list = () => folder.list()
        const read: typeof folder.read = (path, options) => folder.read(path, options)
        yield { ...found, folder: { location: folder.location, readManifest, list, read } }
      }
    },
  }
}

/** A consent handler is asked one question at a time. */
export const oneQuestionChecks = checksOf('consent', [
  {
    id: 'consent-one-answer-one-call',
    needs: ['parallelCalls'],
    title: '[ASK-8, ABUSE-123] takes one line of a shared input as the answer to one call of a message, in their order',
    async run(bench) {
      const { asked, consent } = personAt(['y'])
      const trial = await playTrial(bench, {
        sources,
        consent,
        session: { policy },
        script: [together(activate('one'), push('a'), activate('two'), push('b'), activate('three'), push('c')), say()],
      })
      same('the questions, in the order of the calls,', asked, ['one', 'a', 'two', 'b', 'three', 'c'])
      same('the active skills', await trial.active(), ['one'])
      same('the tools that ran', trial.runs.length, 0)
      for (const denied of ['call_1_3', 'call_1_5']) refusedWith(trial, denied, 'CONSENT_DENIED')
      for (const denied of ['call_1_2', 'call_1_4', 'call_1_6']) refusedWith(trial, denied, 'CALL_DENIED')
    },
  },
  {
    id: 'consent-one-at-a-time',
    needs: ['parallelCalls'],
    title:
      '[ASK-8] asks one question at a time, in the order of the calls, also where it takes longer to prepare the first',
    async run(bench) {
      const { asked, consent, most } = countingPerson()
      await playTrial(bench, {
        sources: sources.map((source) => slowly(source, 'one')),
        consent,
        session: { policy },
        script: [together(activate('one'), push('a'), activate('two'), push('b')), say()],
      })
      same('the questions that were open at once', most(), 1)
      same('the questions, in the order of the calls,', asked, ['one', 'a', 'two', 'b'])
    },
  },
  {
    id: 'consent-named-three-times',
    needs: ['parallelCalls'],
    title:
      '[ASK-8, ACT-6] asks once about a skill that one message names three times, and runs its hooks and records it once',
    async run(bench) {
      for (const approved of [true, false]) {
        const asked: string[] = []
        const hooksRun: string[] = []
        const events: AuditEvent[] = []
        const trial = await playTrial(bench, {
          sources,
          repertoire: {
            scripts: { hooks: ({ command }: HookRun) => ({ ok: hooksRun.push(command) > 0 }) },
            audit: { write: (event) => void events.push(event) },
          },
          consent: async (request) => {
            asked.push(subjectOf(request))
            await settle()
            return approved
          },
          script: [
            together(activate('hooked'), activate('hooked'), activate('hooked')),
            together(deactivate('hooked'), deactivate('hooked')),
            say(),
          ],
        })
        same('the questions', asked, ['hooked'])
        same('the hooks that ran', hooksRun, approved ? ['check', 'tidy'] : [])
        const recorded = events
          .map(({ type }) => type)
          .filter((type) => /^skill\.(activated|denied|deactivated)$/.test(type))
        same('the events', recorded, approved ? ['skill.activated', 'skill.deactivated'] : ['skill.denied'])
        if (!approved) for (const id of ['call_1_1', 'call_1_2', 'call_1_3']) refusedWith(trial, id, 'CONSENT_DENIED')
      }
    },
  },
  {
    id: 'consent-forks-share',
    needs: ['parallelCalls'],
    title: '[ASK-8, ACT-10] asks one question at a time, also from sub-agents that run side by side',
    async run(bench) {
      const bothAtWork = Promise.withResolvers<void>()
      const { asked, consent, most } = countingPerson(async (subject) => {
        if (!subject.startsWith('survey')) await bothAtWork.promise
      })
      await playTrial(bench, {
        sources,
        consent,
        script: [
          together(activate('survey-a'), activate('survey-b')),
          activate('one'),
          () => {
            bothAtWork.resolve()
            return activate('two')
          },
          say(RESULT),
          say(RESULT),
          say(),
        ],
      })
      same('the questions that were open at once', most(), 1)
      same('the questions', asked.toSorted(), ['one', 'survey-a', 'survey-b', 'two'])
    },
  },
  {
    id: 'stack-two-left',
    area: 'stack',
    needs: ['parallelCalls'],
    title: '[ACT-6] deactivates two skills in one message, from the top down',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [activate('one'), activate('two'), say(), together(deactivate('two'), deactivate('one')), say()],
      })
      same('the active skills before', await trial.active(), ['one', 'two'])
      done(await trial.send('Go on'))
      same('the active skills after', await trial.active(), [])
    },
  },
])

import type { CallStep, SayStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import { done, isForkRequest, refusedWith, same } from './assertions.ts'
import { activate, bash, call, say, saying, together } from './script-steps.ts'
import { conversationOf, holdsConversation, type ScriptedTurn } from './sent-back.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    narrow: { body: 'Body of narrow.', fields: ['allowed-tools: Read'] },
    survey: { body: 'Body of the survey.', fields: ['context: fork'] },
  }),
]

/** The model thinks before it says or does something. */
function thinking<Step extends CallStep | SayStep>(text: string, step: Step, hidden = false): Step {
  return { ...step, reasoning: hidden ? { text, hidden } : { text } }
}

/** The model makes an image beside what it says or does. */
function making<Step extends CallStep | SayStep>(content: string, step: Step): Step {
  return { ...step, files: [{ mediaType: 'image/png', data: Buffer.from(content).toString('base64') }] }
}

const scriptOf = (turns: readonly ScriptedTurn[]) => turns.flatMap(([, ...steps]) => steps)

/** Which parts of its reasoning, and which of its files, the model receives again. */
export const reasoningChecks = checksOf('history', [
  {
    id: 'history-reasoning',
    needs: ['parallelCalls'],
    title:
      '[CONF-5, CONF-8] sends the model its reasoning back unchanged with the calls that it led to, also what the vendor withholds: allowed calls, activations and refused ones',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        [
          'Hello',
          thinking('I look first.\nThen I decide "how" – 🙂.', saying('I look.', bash('ls'))),
          thinking('Both at once.', together(bash('pwd'), bash('id'))),
          thinking('What nobody may see.', bash('git log'), true),
          say('One.'),
        ],
        [
          'Now the skill',
          thinking('It needs the skill.', activate('narrow')),
          thinking('Perhaps this is allowed.', bash('rm a')),
          bash('rm b'),
          say('Two.'),
        ],
        ['Go on', say('Three.')],
      ]
      const trial = await bench.open({ sources, script: scriptOf(turns) })
      for (const message of ['Hello', 'Now the skill', 'Go on']) done(await trial.send(message))
      for (const id of ['call_6_1', 'call_7_1']) refusedWith(trial, id, 'TOOL_NOT_ALLOWED')
      const conversation = conversationOf(turns, (id) => trial.resultOf(id))
      holdsConversation(trial.requests, conversation)
    },
  },
  {
    id: 'history-reasoning-answers',
    level: 'SHOULD',
    title: '[CONF-5, CONF-8] sends the model the reasoning of its earlier answers back unchanged',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', thinking('I greet.', say('One.'))],
        ['And now?', thinking('What nobody may see.', say('Two.'), true)],
        ['Go on', say('Three.')],
      ]
      const trial = await bench.open({ sources, script: scriptOf(turns) })
      for (const message of ['Hello', 'And now?', 'Go on']) done(await trial.send(message))
      const conversation = conversationOf(turns, (id) => trial.resultOf(id))
      holdsConversation(trial.requests, conversation)
    },
  },
  {
    id: 'history-reasoning-resumed',
    needs: ['suspend', 'resume'],
    title:
      '[CONF-5, CONF-8, ACT-15] sends the model its reasoning back in a fresh process, both where a run waited for consent and where it had ended',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', thinking('I look first.', bash('ls')), say('One.')],
        ['Now the skill', thinking('It needs the skill.', saying('I activate it.', activate('narrow'))), say('Two.')],
        ['Go on', say('Three.')],
      ]
      const steps = scriptOf(turns)
      const settings = { sources, consent: 'suspend' as const }
      const first = await bench.open({ ...settings, script: steps.slice(0, 3) })
      done(await first.send('Hello'))
      const turn = await first.send('Now the skill')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      const second = await bench.open({ ...settings, script: steps.slice(3, 4), saved: await first.save() })
      done(await second.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      const third = await bench.open({ ...settings, script: steps.slice(4), saved: await second.save() })
      done(await third.send('Go on'))
      const conversation = conversationOf(turns, (id) => (id === 'call_1_1' ? first : second).resultOf(id))
      holdsConversation(second.requests, conversation, { skipped: 3 })
      holdsConversation(third.requests, conversation, { skipped: 4 })
    },
  },
  {
    id: 'history-reasoning-forks',
    title: '[CONF-5, CONF-8, ACT-10] sends a sub-agent its own reasoning back unchanged, and no other',
    async run(bench) {
      const main: readonly ScriptedTurn[] = [
        ['Hello', thinking('A survey first.', call('activate_skill', { name: 'survey' }, 'main_1')), say('One.')],
      ]
      const fork = [thinking('I look around.', bash('id', 'fork_1')), say('42 files.')]
      const [activation, answer] = scriptOf(main)
      const trial = await playTrial(bench, { sources, script: [activation!, ...fork, answer!] })
      const forked = trial.requests.filter(isForkRequest)
      same('the number of requests of the sub-agent', forked.length, fork.length)
      const task = forked[0]?.messages[0]?.text ?? ''
      const resultOf = (id: string) => trial.resultOf(id)
      holdsConversation(forked, conversationOf([[task, ...fork]], resultOf))
      holdsConversation(
        trial.requests.filter((wire) => !isForkRequest(wire)),
        conversationOf(main, resultOf),
      )
    },
  },
  {
    id: 'history-files',
    needs: ['suspend', 'resume'],
    title:
      '[CONF-5, CONF-8, ACT-15] sends the model the files that it has made back unchanged, in the same process and in a fresh one',
    async run(bench) {
      const steps = [
        making('The first.', say('Here it is.')),
        making('The second.', bash('ls')),
        making('The third.', saying('I activate it.', activate('narrow'))),
        say('One.'),
        say('Two.'),
      ]
      const settings = { sources, consent: 'suspend' as const }
      const first = await bench.open({ ...settings, script: steps.slice(0, 3) })
      done(await first.send('Hello'))
      const turn = await first.send('Another')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      const second = await bench.open({ ...settings, script: steps.slice(3), saved: await first.save() })
      done(await second.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      done(await second.send('Go on'))
      const answers = [...first.answers, ...second.answers]
      for (const [index, { messages }] of [...first.requests, ...second.requests].entries()) {
        const sentBack = messages.flatMap(({ role, files = [] }) => (role === 'assistant' ? [files] : []))
        const made = answers.slice(0, index).map(({ files = [] }) => files)
        same(`the files of request ${index + 1}`, sentBack, made)
      }
    },
  },
])

import type { AuditEvent } from '@repertoire/core'
import type { Consent, Shown } from '../src/model/event.ts'
import { createLog, type Log } from '../src/model/log.ts'
import type { Run } from '../src/model/run.ts'

/** An event of a test's log; what it leaves out is filled in. */
export type Written = Omit<Partial<AuditEvent>, 'type' | 'outcome' | 'shown' | 'consent'> & {
  readonly type: string
  readonly outcome?: string
  readonly shown?: Shown
  readonly consent?: Consent
}

const BEGIN = Date.parse('2026-11-27T09:00:00.000Z')

/** Writes events as the lines of a log, a second apart. */
export function logOf(events: readonly Written[]): string {
  return events.map((event, index) => `${JSON.stringify(eventOf(event, index))}\n`).join('')
}

/** Reads the text of a log. */
export function read(text: string, log = createLog()): Log {
  log.addText('audit.jsonl', text, true)
  return log
}

/** The run of some events. */
export function runOf(events: readonly Written[]): Run {
  return [...read(logOf(events)).runs.values()][0]!
}

/** An event as an audit writes it. */
export function eventOf({ type, ...rest }: Written, index = 0): object {
  return {
    version: 1,
    type,
    time: new Date(BEGIN + index * 1_000).toISOString(),
    session: 'task-7f3a',
    skills: [],
    outcome: 'succeeded',
    enforced: true,
    ...rest,
  }
}

/** What a step was shown. */
export function shown(step: number, more: Partial<Shown> = {}): Written {
  const all: Shown = {
    step,
    skills: [
      { name: 'release-notes', as: 'whole', tokens: 42 },
      { name: 'safe-edit', as: 'shortened', tokens: 12 },
    ],
    left: [],
    tools: ['Read', 'Write', 'runCommand', 'activate_skill'],
    tokens: { system: 310, list: 54, bodies: 0, tools: 820, messages: 120 * step },
    digest: 'a'.repeat(64),
    ...more,
  }
  return { type: 'skills.shown', shown: all, model: 'gpt-5' }
}

/** The active skill of the sample. */
export const SAFE_EDIT = {
  name: 'safe-edit',
  digest: '3f9c'.repeat(16),
  layer: 'project',
  source: 'skills',
  allowedTools: ['Read', 'Write(docs/**)', 'Bash(git diff:*)'],
} as const

const LEFT: Shown['left'] = [
  { name: 'old-notes', why: 'broken', reason: 'Error NAME_MISSING on line 2: the frontmatter has no `name`. Add one.' },
  {
    name: 'pdf',
    why: 'shadowed',
    reason:
      '/home/ada/skills/pdf is used instead: its layer has precedence. Rename one of the two, or give this one the higher layer or `priority`.',
  },
  {
    name: 'deploy',
    why: 'hidden',
    reason: 'Its `scope.agents` does not name the agent. Open the session with an `agent` that it names.',
  },
  {
    name: 'translate',
    why: 'cut',
    reason:
      'The budget of the list has no room for it. Raise `listing.budget.share`, or name the skill in `listing.budget.keep`.',
  },
  {
    name: 'payroll',
    why: 'refused',
    reason: "It asks for the network, and the host admits none. Change the skill, or what the host's `admit` admits.",
  },
]

const call = (id: string, tool: string, input: unknown): Written => ({
  type: 'tool.started',
  callId: id,
  tool,
  input,
  inputDigest: id.padEnd(64, '0'),
  outcome: 'started',
})

/** A run in which every skill has another fate. */
export const SAMPLE: readonly Written[] = [
  shown(1, {
    left: LEFT,
    skills: [
      { name: 'commit-message', as: 'name', tokens: 3 },
      { name: 'release-notes', as: 'whole', tokens: 42 },
      { name: 'safe-edit', as: 'shortened', tokens: 12 },
      { name: 'review', as: 'whole', tokens: 30 },
      { name: 'glossary', as: 'name', tokens: 3 },
    ],
    text: 'You are a coder.\\u{A}Skills: safe-edit',
  }),
  { type: 'model.called', model: 'gpt-5', usage: { inputTokens: 1_400, outputTokens: 80 } },
  {
    type: 'consent.asked',
    callId: 'call_1',
    tool: 'activate_skill',
    outcome: 'started',
    consent: { request: 'r1', about: 'skill', digest: 'b'.repeat(64), text: 'Activate safe-edit?' },
  },
  {
    type: 'consent.answered',
    callId: 'call_1',
    tool: 'activate_skill',
    consent: { request: 'r1', about: 'skill', digest: 'b'.repeat(64), answer: 'yes', by: 'handler' },
  },
  { type: 'skill.activating', callId: 'call_1', tool: 'activate_skill', skill: SAFE_EDIT, outcome: 'started' },
  {
    type: 'skill.activated',
    callId: 'call_1',
    tool: 'activate_skill',
    skill: SAFE_EDIT,
    skills: [SAFE_EDIT],
    durationMs: 12,
  },
  {
    ...shown(2, {
      left: LEFT,
      tools: ['Read', 'Write', 'runCommand', 'activate_skill', 'read_skill_resource'],
      skills: [
        { name: 'commit-message', as: 'name', tokens: 3 },
        { name: 'release-notes', as: 'whole', tokens: 42 },
        { name: 'safe-edit', as: 'whole', tokens: 30 },
        { name: 'review', as: 'whole', tokens: 30 },
        { name: 'glossary', as: 'name', tokens: 3 },
      ],
      tokens: { system: 310, list: 70, bodies: 640, tools: 900, messages: 900 },
      digest: 'c'.repeat(64),
      text: 'You are a coder.\\u{A}Skills: safe-edit (active)',
    }),
    skills: [SAFE_EDIT],
  },
  { type: 'model.called', model: 'gpt-5', usage: { inputTokens: 2_800, outputTokens: 120 } },
  { ...call('call_2', 'Read', { file_path: 'docs/a.md' }), skills: [SAFE_EDIT] },
  {
    ...call('call_2', 'Read', { file_path: 'docs/a.md' }),
    type: 'tool.finished',
    skills: [SAFE_EDIT],
    outcome: 'succeeded',
  },
  {
    ...call('call_3', 'runCommand', { command: 'git push' }),
    type: 'restriction.violated',
    standsFor: 'Bash',
    skill: SAFE_EDIT,
    skills: [SAFE_EDIT],
    allowedTools: SAFE_EDIT.allowedTools,
    refusedBy: { by: 'allowed-tools', skill: 'safe-edit' },
    outcome: 'refused',
    code: 'TOOL_NOT_ALLOWED',
    reason: 'The skill "safe-edit" does not allow "git push". Allowed: Bash(git diff:*).',
  },
  { ...call('call_4', 'runCommand', { command: 'git diff --stat' }), standsFor: 'Bash', skills: [SAFE_EDIT] },
  {
    ...call('call_4', 'runCommand', { command: 'git diff --stat' }),
    type: 'tool.finished',
    standsFor: 'Bash',
    skills: [SAFE_EDIT],
    outcome: 'failed',
    error: 'exit code 128',
  },
  {
    type: 'consent.asked',
    callId: 'call_5',
    tool: 'activate_skill',
    outcome: 'started',
    consent: { request: 'r2', about: 'skill', digest: 'd'.repeat(64), text: 'Activate commit-message?' },
  },
  {
    type: 'consent.answered',
    callId: 'call_5',
    tool: 'activate_skill',
    consent: { request: 'r2', about: 'skill', digest: 'd'.repeat(64), answer: 'no', by: 'person', reason: 'not now' },
  },
  {
    type: 'skill.denied',
    callId: 'call_5',
    tool: 'activate_skill',
    skill: { name: 'commit-message', layer: 'project', source: 'skills' },
    outcome: 'refused',
    code: 'CONSENT_DENIED',
    reason: 'The person refused: not now',
  },
  {
    type: 'skill.deactivated',
    callId: 'call_6',
    tool: 'deactivate_skill',
    skill: SAFE_EDIT,
    endedBy: 'call',
    durationMs: 9_000,
  },
  {
    type: 'window.summarized',
    window: { size: 8_000, tokensBefore: 7_400, tokens: 3_100, messages: 12, by: 'summarizer' },
  },
  shown(3, {
    left: [
      ...LEFT,
      {
        name: 'release-notes',
        why: 'not-matched',
        reason:
          "It does not fit the task, as the session's `turns.match` says. Say in its description when to use it; it can still be activated by its name.",
      },
    ],
    skills: [
      { name: 'commit-message', as: 'name', tokens: 3 },
      { name: 'safe-edit', as: 'shortened', tokens: 12 },
      { name: 'review', as: 'whole', tokens: 30 },
      { name: 'glossary', as: 'name', tokens: 3 },
    ],
    tools: ['Read', 'Write', 'activate_skill'],
    withheld: [{ tool: 'runCommand', skill: 'safe-edit', reason: 'no rule allows it' }],
  }),
  { type: 'model.called', model: 'gpt-5', usage: { inputTokens: 3_100, outputTokens: 40 } },
  { ...call('call_7', 'Write', { file_path: 'docs/a.md', content: 'x' }), inputDigest: 'f'.repeat(64) },
  { ...call('call_7', 'Write', { file_path: 'docs/a.md', content: 'x' }), type: 'tool.finished', outcome: 'succeeded' },
  {
    type: 'fork.started',
    callId: 'call_8',
    tool: 'activate_skill',
    skill: { name: 'review', layer: 'project', source: 'skills' },
    outcome: 'started',
  },
  { ...shown(1, { skills: [], tools: ['Read'] }), session: 'task-7f3a/call_8' },
  { ...call('call_9', 'Read', { file_path: 'docs/b.md' }), session: 'task-7f3a/call_8' },
  {
    ...call('call_9', 'Read', { file_path: 'docs/b.md' }),
    type: 'tool.finished',
    session: 'task-7f3a/call_8',
    outcome: 'succeeded',
  },
  {
    type: 'fork.finished',
    callId: 'call_8',
    tool: 'activate_skill',
    skill: { name: 'review', layer: 'project', source: 'skills' },
  },
] as readonly Written[]

/** A log of many events: one run, a step for every ten calls. */
export function longLog(events: number): string {
  const lines: string[] = []
  for (let index = 0; lines.length < events; index++) {
    if (index % 10 === 0) lines.push(JSON.stringify(eventOf(shown(index / 10 + 1, { left: LEFT }), index)))
    const id = `call_${index}`
    const started = {
      ...call(id, 'runCommand', { command: `git log -${index}` }),
      standsFor: 'Bash',
      skills: [SAFE_EDIT],
    }
    const finished = { ...started, type: 'tool.finished', outcome: index % 7 === 0 ? 'failed' : 'succeeded' }
    lines.push(JSON.stringify(eventOf(started, index)), JSON.stringify(eventOf(finished, index)))
  }
  return `${lines.slice(0, events).join('\n')}\n`
}

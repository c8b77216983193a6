import { describe, expect, it } from 'vitest'
import { refuse } from './refusals.ts'

/** Everything that foreign code may say: a path of the server, and advice for whoever runs the agent. */
const FAILURE = new Error('ENOENT: /srv/app/.agents/skills/pdf/SKILL.md. Set the option `scripts.runner`.')

/** Each refusal as it is made, by its name: one entry for each that has words of its own. */
const REFUSALS = {
  unreadableInput: [refuse.unreadableInput('Read', 'it refers to itself')],
  noPath: [refuse.noPath('read_skill_resource', 'references/guide.md')],
  noName: [refuse.noName('activate_skill', ['pdf']), refuse.noName('activate_skill', [])],
  noSuchLines: [refuse.noSuchLines('a.md', 3)],
  argumentsTooLong: [refuse.argumentsTooLong('pdf', 100_001, 100_000)],
  toolUnknown: [refuse.toolUnknown('Bash'), refuse.toolUnknown('Bash', ['runCommand'])],
  skillNotFound: [
    refuse.skillNotFound('pfd', 'pdf', ['pdf']),
    refuse.skillNotFound('x', undefined, ['pdf']),
    refuse.skillNotFound('x', undefined, []),
  ],
  skillBroken: [refuse.skillBroken('pdf', FAILURE.message)],
  onlyForPersons: [refuse.onlyForPersons('pdf')],
  skillNotAdmitted: [refuse.skillNotAdmitted('pdf', [FAILURE.message])],
  skillNotActive: [refuse.skillNotActive('pdf'), refuse.skillNotActive(undefined)],
  activateFirst: [
    refuse.activateFirst('pdf', 'activate_skill', 'its files are read'),
    refuse.activateFirst(undefined, undefined, 'its scripts are run'),
  ],
  deactivatedMeanwhile: [refuse.deactivatedMeanwhile('pdf')],
  skillNotOnTop: [refuse.skillNotOnTop('pdf', 'csv')],
  skillPinned: [refuse.skillPinned('pdf')],
  forkTooDeep: [refuse.forkTooDeep('pdf', 3)],
  forkUnavailable: [refuse.forkUnavailable('pdf')],
  consentDenied: [
    refuse.consentDenied('pdf', {}),
    refuse.consentDenied('pdf', { reason: 'too early' }),
    refuse.consentDenied('pdf', { reason: 'the answer was for another request', isOutdated: true }),
  ],
  changedByHooks: [refuse.changedByHooks('pdf', FAILURE)],
  callDenied: [
    refuse.callDenied('Bash', undefined),
    refuse.callDenied('Bash', 'the answer was lost', { isOutdated: true }),
  ],
  hookFailed: [
    refuse.hookFailed('pdf', 'its hook "check.sh" failed: no lease'),
    refuse.hookFailed('pdf', undefined, FAILURE.message),
  ],
  hooksNotRun: [refuse.hooksNotRun('pdf', 'check.sh')],
  mountFailed: [refuse.mountFailed('pdf', FAILURE)],
  toolsetFailed: [refuse.toolsetFailed('pdf', FAILURE.message)],
  planCycle: [refuse.planCycle('pdf', ['pdf', 'pdf'])],
  planTooLarge: [refuse.planTooLarge('plans nest at most 3 deep', ['a', 'b'])],
  resourceNotFound: [
    refuse.resourceNotFound('pdf', 'a.md', undefined),
    refuse.resourceNotFound('pdf', 'a.md', 'references/a.md'),
  ],
  resourceRefused: [refuse.resourceRefused('pdf', 'a.md', undefined, FAILURE)],
  scriptNotFound: [
    refuse.scriptNotFound('pdf', 'a.sh', undefined, []),
    refuse.scriptNotFound('pdf', 'a.sh', undefined, ['scripts/b.sh']),
  ],
  noScriptRunner: [refuse.noScriptRunner('run_skill_script')],
  otherScriptRunner: [refuse.otherScriptRunner('pdf', true), refuse.otherScriptRunner('pdf', false)],
  scriptNotRun: [
    refuse.scriptNotRun('SCRIPT_CHANGED', 'scripts/a.sh', FAILURE),
    refuse.scriptNotRun('SCRIPT_UNAVAILABLE', 'scripts/a.sh', FAILURE),
  ],
  noEnvironment: [refuse.noEnvironment('scripts/a.sh', FAILURE)],
  notRecorded: [refuse.notRecorded()],
  sessionEnded: [refuse.sessionEnded()],
}

/** What a model may do next, as the refusals say it. */
const STEPS =
  /Go on|go on|[Gg]ive (?:a|at most|one|plain|the)|Call one|call it by|Activate it|Deactivate |Did you mean|The skills are|Its scripts are|Make the same call|Do not call it again|Do its work here|Tell the user|Finish with a text|Give plain/g

describe('a refusal', () => {
  const cases = Object.entries(REFUSALS).flatMap(([name, all]) =>
    all.map((each, index) => [`${name} ${index + 1}`, each] as const),
  )

  it.each(cases)('[GATE-7, ACT-2] says what to do next, and no second thing: %s', (name, { refusal }) => {
    // An unknown name has the nearest one and the list of those that there are.
    const most = name === 'skillNotFound 1' ? 2 : 1
    expect({ reason: refusal.reason, steps: refusal.reason.match(STEPS)?.length }).toEqual({
      reason: refusal.reason,
      steps: most,
    })
  })

  it.each(cases)(
    '[GATE-7] shows a model no path of the server and no option of the host: %s',
    (_, { text, refusal }) => {
      for (const shown of [text, refusal.reason]) expect(shown).not.toMatch(/\/srv|scripts\.runner|openRepertoire/)
      expect(text).not.toContain('detail')
    },
  )

  it.each([
    'skillBroken',
    'skillNotAdmitted',
    'changedByHooks',
    'mountFailed',
    'toolsetFailed',
    'resourceRefused',
  ] as const)('[GATE-7] tells the host the failure behind it: %s', (name) => {
    expect(REFUSALS[name][0]!.refusal.detail).toContain(FAILURE.message)
  })

  it('[GATE-7] has an entry above, unless it has words that are not known here', () => {
    const others = ['inputInvalid', 'onlyForModels', 'forkFailed']
    expect(Object.keys(refuse).toSorted()).toEqual([...Object.keys(REFUSALS), ...others].toSorted())
  })
})

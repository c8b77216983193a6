import { beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_SUB_AGENT_STEPS,
  UNATTENDED_REASON,
  subAgentFor,
  unattendedError,
  unfinishedForkError,
} from '../../../src/adapter.ts'

/** What a call throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('the agent that a fork is run by', () => {
  const agents = { explorer: { model: 'small' }, writer: { model: 'large' } }
  const agentFor = <Agent extends object>(
    subagents: Readonly<Record<string, Agent>> | undefined,
    request: { readonly agent?: string },
  ): Agent | undefined =>
    subAgentFor({ ...request, reportModel: () => undefined }, { subagents, parentModel: 'above' }).agent

  it('[ACT-10] is the host’s agent with the name that the skill gives', () => {
    expect(agentFor(agents, { agent: 'explorer' })).toBe(agents.explorer)
    expect(agentFor(agents, { agent: 'writer' })).toBe(agents.writer)
  })

  it('[ACT-10] is the host’s default one where the skill names none, or the host has no others', () => {
    const byDefault = { model: 'medium' }
    expect(agentFor({ ...agents, default: byDefault }, {})).toBe(byDefault)
    expect(agentFor({ ...agents, default: byDefault }, { agent: 'default' })).toBe(byDefault)
    expect(agentFor({ ...agents, default: byDefault }, { agent: 'writer' })).toBe(agents.writer)
    expect(agentFor({ default: byDefault }, { agent: 'explorer' })).toBe(byDefault)
    expect(agentFor(agents, {})).toBeUndefined()
    expect(agentFor(agents, { agent: 'default' })).toBeUndefined()
    expect(agentFor(undefined, { agent: 'explorer' })).toBeUndefined()
    expect(agentFor(undefined, {})).toBeUndefined()
    expect(agentFor({}, { agent: 'explorer' })).toBeUndefined()
  })

  it('[ACT-10] is refused where the host has no agent of that name, with the names that it has', () => {
    expect(thrownBy(() => agentFor(agents, { agent: 'plan"ner' }))).toEqual(
      new TypeError('There is no sub-agent of the kind "plan\\"ner". Known are: explorer, writer.'),
    )
    expect(thrownBy(() => agentFor({ default: {}, explorer: {} }, { agent: 'x'.repeat(81) }))).toEqual(
      new TypeError(`There is no sub-agent of the kind "${'x'.repeat(80)}…". Known are: explorer.`),
    )
  })

  it.each(['constructor', 'toString', '__proto__'])(
    '[ACT-10, ABUSE-44] is not found under the name %s, which every object has as a property',
    (agent) => {
      const mine = {}
      expect(() => agentFor(agents, { agent })).toThrow(
        `There is no sub-agent of the kind "${agent}". Known are: explorer, writer.`,
      )
      expect(agentFor(Object.fromEntries([[agent, mine]]), { agent })).toBe(mine)
    },
  )
})

describe('the model that a fork is run with', () => {
  const resolveModel = (name: string): string | undefined => (name === 'small' ? 'resolved' : undefined)
  const subagents = { default: { model: 'of the agent' } }
  const reported: string[] = []
  beforeEach(() => void reported.splice(0))
  const asks = (model?: string) => ({ model, reportModel: () => void reported.push(model ?? '') })

  it('[ACT-10] is the one that the skill names, or else the agent’s, or else the parent’s', () => {
    const above = { parentModel: 'above' }
    expect(subAgentFor(asks('small'), { resolveModel, subagents, ...above }).model).toBe('resolved')
    expect(subAgentFor(asks('none'), { resolveModel, subagents, ...above }).model).toBe('of the agent')
    expect(subAgentFor(asks('small'), { subagents, ...above }).model).toBe('of the agent')
    expect(subAgentFor(asks('none'), { resolveModel, subagents: { default: {} }, ...above }).model).toBe('above')
    expect(subAgentFor(asks(), { resolveModel, ...above }).model).toBe('above')
    expect(reported).toEqual(['none', 'small', 'none'])
  })

  it('[ACT-10] is looked up only where the skill names one', () => {
    const asked: unknown[] = []
    const noting = (name: string): undefined => void asked.push(name)
    subAgentFor(asks(), { resolveModel: noting, subagents, parentModel: undefined })
    subAgentFor(asks('small'), { resolveModel: noting, subagents, parentModel: undefined })
    expect(asked).toEqual(['small'])
  })

  it('[ACT-10] is refused if there is none, with where to give one', () => {
    const none = new TypeError(
      'There is no model for the sub-agent: this process has not called one yet. Give it one: `subagents: { default: { model } }`.',
    )
    for (const choice of [
      { resolveModel, subagents: { default: {} }, parentModel: undefined },
      { parentModel: undefined },
    ]) {
      expect(thrownBy(() => subAgentFor(asks('none'), choice))).toEqual(none)
    }
  })
})

describe('what a sub-agent is told and fails with', () => {
  it('[ACT-10] says that nobody can be asked, and what to do instead', () => {
    expect(UNATTENDED_REASON).toBe('nobody can be asked to approve it in a sub-agent')
    expect(unattendedError('Ask"').message).toContain('The call of "Ask\\"" waits for a person')
    expect(unattendedError().message).toBe(
      'its sub-agent waited for a person, and sub-agents run unattended: nobody can be asked in one. Go on without the skill, and do yourself what needs a person.',
    )
  })

  it('[ACT-10] says after how many model calls it was not done, of which there are 20 unless the host says otherwise', () => {
    expect(DEFAULT_SUB_AGENT_STEPS).toBe(20)
    expect(unfinishedForkError(3).message).toBe('the agent had not finished after 3 model calls')
    expect(unfinishedForkError(3)).toBeInstanceOf(Error)
  })
})

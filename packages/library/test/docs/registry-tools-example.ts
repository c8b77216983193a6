import { createSkillExecutor, type ScriptRunner, type Session, type SkillStore } from '@repertoire/core'
import { createSkillRegistry, type SkillTool } from '@repertoire/library'

/** Offers the stored skills to a program that calls tools itself. */
export async function openTools(store: SkillStore, runner: ScriptRunner) {
  const registry = createSkillRegistry<SkillTool>({ store, executor: createSkillExecutor({ runner }) })
  await registry.load()
  return {
    /** Executes a skill at once. For a program that has decided to run it. */
    run: (name: string, input: unknown) => callOf(registry.allTools(), name, input),
    /** Activates a skill in a session. For what a model calls. */
    activate: (session: Session, name: string, input: unknown) => callOf(registry.tools(session), name, input),
  }
}

function callOf(tools: readonly SkillTool[], name: string, input: unknown) {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new TypeError(`There is no tool "${name}".`)
  return tool.execute(input, { callId: crypto.randomUUID() })
}

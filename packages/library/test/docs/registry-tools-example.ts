import { createSkillExecutor, type ScriptRunner, type SkillStore } from '@repertoire/core'
import { createSkillRegistry } from '@repertoire/library'

/** Runs a stored skill in a program that has decided to run it. */
export async function runSkill(store: SkillStore, runner: ScriptRunner, name: string, input: unknown) {
  const registry = createSkillRegistry({ store, executor: createSkillExecutor({ runner }) })
  const tool = (await registry.load()).find((each) => each.name === name)
  if (tool === undefined) throw new TypeError(`There is no tool "${name}".`)
  return tool.execute(input)
}

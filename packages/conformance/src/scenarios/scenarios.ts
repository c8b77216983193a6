import type { Scenario } from './scenario.ts'
import { chooseSkill } from './tasks/choose-skill.ts'
import { findReference } from './tasks/find-reference.ts'
import { leaveSkill } from './tasks/leave-skill.ts'
import { objectArguments } from './tasks/object-arguments.ts'
import { ownNames } from './tasks/own-names.ts'
import { runScript } from './tasks/run-script.ts'
import { toolName } from './tasks/tool-name.ts'

/** The tasks that models are measured with, each around a mistake that weak ones make. */
export const scenarios: readonly Scenario[] = [
  findReference,
  runScript,
  toolName,
  ownNames,
  objectArguments,
  chooseSkill,
  leaveSkill,
]

import { needsApproval } from '@repertoire/langchain'
import { type AgentMiddleware, humanInTheLoopMiddleware } from 'langchain'

/** Asks a person about `Bash`. Behind the middleware of the skills. */
export const askAboutBash: AgentMiddleware = humanInTheLoopMiddleware({
  interruptOn: { Bash: { allowedDecisions: ['approve', 'reject'], when: needsApproval } },
})

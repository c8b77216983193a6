import { LISTING_STYLES } from '@repertoire/core'
import type { Scenario } from '../../oracle/scenario.ts'
import { inTasks, scenariosOf } from './define.ts'
import { ROWS } from './option-rows.ts'

/** Rows that share a scenario: each has a task of its own. */
const TABLE: readonly (Pick<Scenario, 'id' | 'title'> &
  Partial<Pick<Scenario, 'needs'>> & { readonly rows: readonly string[] })[] = [
  {
    id: 'options-styles',
    title:
      '[SHOW-2, SHOW-4, MATCH-3, DISC-5, ADPT-4] lists skills in each style, under the names of the host, also after a reload',
    rows: LISTING_STYLES.map((style) => `style-${style}`),
  },
  {
    id: 'options-listing',
    title:
      '[SHOW-2, SHOW-6, SHOW-8, ACT-11, MATCH-1, ADPT-4] passes on what the host sets for the list, for the choice of skills and for what a message says of them',
    rows: [
      'stable-tools',
      'off',
      'nothing',
      'allowlist-names',
      'odd-names',
      'allowlist',
      'match',
      'scope',
      'triggers-suggest',
      'triggers-activate',
      'triggers-off',
    ],
  },
  {
    id: 'options-asked',
    title:
      "[ASK-5, SHOW-4, GATE-8, RUN-3, LIB-11, ADPT-4] passes on to core what the host sets, where the framework's own approval asks",
    needs: ['suspend'],
    rows: ['triggers-asked', 'own-tools-asked', 'tool-map-asked', 'executed-asked', 'checkpoint'],
  },
  {
    id: 'options-modes',
    title:
      '[GATE-8, GATE-9, ABUSE-46, ADPT-4] passes on the mode of enforcement, the policy and the folder of the host',
    rows: ['advisory', 'preapprove', 'from-top', 'policy', 'cwd'],
  },
  {
    id: 'options-approval',
    title:
      '[GATE-8, ADPT-4] asks nobody to approve what the active skills list, and has every approved call judged and recorded',
    needs: ['approval'],
    rows: ['preapprove-approval'],
  },
  {
    id: 'options-resumed',
    title:
      '[ACT-15, ASK-1, ACT-14, GATE-1, GATE-9, ADPT-4] keeps grants, active skills, what they take away, and the table of tools in a fresh process, and takes the other options of that process',
    needs: ['resume'],
    rows: ['granted', 'tool-map', 'later-mode'],
  },
  {
    id: 'options-skills',
    title: '[RUN-2, RUN-4, ADPT-4] passes on what carries out plans, what reads parameters, and where problems go',
    rows: ['plan', 'parameters', 'problems'],
  },
  {
    id: 'options-audit',
    title: '[OBS-1, ADPT-4] goes on where the audit fails, and runs nothing where it is required',
    rows: ['audit-fails', 'audit-required'],
  },
  {
    id: 'options-lease',
    title:
      '[LIB-11, ACT-15, ADPT-4] begins nothing that could not be saved, and nothing in a session that another process has',
    rows: ['checkpoint-fails', 'until'],
  },
]

/** What a host sets for a session, for the repertoire and for the agent: an adapter passes it on as it is. */
export const optionScenarios = scenariosOf(
  'gate',
  TABLE.map(({ rows, ...scenario }) => ({
    ...scenario,
    ...inTasks(...rows.map((name) => ({ turns: ['Hello'], ...ROWS[name]! }))),
  })),
)

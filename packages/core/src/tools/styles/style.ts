import type { ListForm, ListingDetail } from '../../disclosure/list-form.ts'
import type { ListEntry } from '../../disclosure/listing.ts'
import type { ToolDefinition } from '@repertoire/gate/internal'

/** A way to list skills. A new one is a file with its record and a line in the table of styles. */
export interface Style {
  /**
   * Where the text is shown: in the system prompt before or after the guidance, or in the description of the activation
   * tool. What changes from step to step is best at the end, and so does a section, of which text after it would be
   * a part.
   */
  readonly place: 'before-guidance' | 'after-guidance' | 'activation-tool'
  /** The list, with `unlisted` skills that are not in it. Empty where there is nothing to say. */
  readonly text: (entries: readonly ListEntry[], unlisted: number, form: ListForm) => string
  /** What one skill adds to the text: nothing where it has a tool. */
  readonly entry: (entry: ListEntry, form: ListForm) => string
  /** What stands between skills. Default: a line break. */
  readonly separator?: string
  /** What the list can do without, the first to go first. */
  readonly details: readonly ListingDetail[]
  /** The tool of a skill, where each has one in place of the activation tool. */
  readonly toolOf?: (
    entry: ListEntry,
    input: ToolDefinition['inputSchema'] | undefined,
    form: ListForm,
  ) => ToolDefinition
  /** Cuts a description to what can be shown of it whatever the budget. Absent: it can be shown whole. */
  readonly bound?: (description: string) => string
  /** True: lists what matters in the step, active skills and those that fit the task. Absent: every visible skill. */
  readonly selective?: true
}

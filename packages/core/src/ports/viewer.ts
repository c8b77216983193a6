/** Who looks at the catalog. A property that is left out matches no scope that restricts it. */
export interface Viewer {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
  /** Allowlist of names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[] | undefined
  /** Whether the viewer is a person, who also sees skills with `disable-model-invocation`. Default false: a model. */
  readonly person?: boolean | undefined
}

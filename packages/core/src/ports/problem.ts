/** A problem that did not stop a call, for logs. */
export interface SessionProblem {
  readonly code: SessionProblemCode
  /** What went wrong, where, and what to do. */
  readonly message: string
  /** The skill that it concerns. */
  readonly skill?: string
  /** The file, folder or source that it concerns. */
  readonly path?: string
  readonly cause?: unknown
}

/** The closed set of problems. */
export type SessionProblemCode =
  /** A skill, or something that belongs to it, could not be used. The model was told so without the details. */
  | 'SKILL_FAILED'
  /** A post hook failed. The skill is deactivated nevertheless. */
  | 'POST_HOOK_FAILED'
  /** A skill brings tools, and its layer is not one that the host trusts with that. It is active without them. */
  | 'TOOLSETS_NOT_LOADED'
  /** A session could not be saved where it is stored. Work that a save must precede did not begin. */
  | 'SESSION_NOT_SAVED'
  /**
   * An answer to a request for consent had no effect, since the session does not have that request: it was not saved
   * after it asked, or not opened with what was saved.
   */
  | 'ANSWER_UNKNOWN'
  /**
   * An answer to a request for consent is neither true or false nor { requestId, approved }, so it is not a yes.
   * Reported once for each session.
   */
  | 'ANSWER_UNREADABLE'
  /**
   * Consent could not be asked for: the session has no handler, and the framework did not ask, or the session ended
   * unsaved before the answer. Reported once for each session.
   */
  | 'CONSENT_UNATTENDED'
  /** A skill's private copy could not be removed. */
  | 'UNMOUNT_FAILED'
  /** No source has a skill, and none is optional: the agent works without skills. Reported once for each session. */
  | 'NO_SKILLS'
  /**
   * A skill, or a whole source, could not be read, and the agent works without it or with what was read last. Reported
   * once for each file of a repertoire, to the session that takes the first step after it was found.
   */
  | 'SKILL_NOT_LOADED'
  /** The files of a skill differ from the installed ones. Reported once for each skill of a repertoire. */
  | 'SKILL_EDITED'
  /**
   * A saved session has an active skill that the catalog lacks: it was removed, or its source has another id now. Its
   * files cannot be read. Reported once for each session.
   */
  | 'SAVED_SKILL_MISSING'
  /** The option `skills` names skills that the catalog has not. Reported once for each session. */
  | 'SKILLS_UNKNOWN'
  /** A skill allows only tools that the host does not have: while it is active, none can be used. */
  | 'NO_TOOL_LEFT'
  /** A skill brings scripts, and nothing here runs them: there is no runner, and no tool for commands. */
  | 'NO_SCRIPT_RUNNER'
  /** Rules of the host's policy mean none of its tools. Reported once for each session, at its first step. */
  | 'POLICY_UNMATCHED'
  /** The run is not made with the model that a skill asks for. Reported once for each skill of a session. */
  | 'MODEL_NOT_USED'
  /** A search could not look at everything: `catalog.rank` failed, or files could not be read. */
  | 'SEARCH_INCOMPLETE'
  /** An audit sink failed and misses events. Reported once per sink. */
  | 'AUDIT_FAILED'
  /** A conversation was to be summarised, and its summariser failed. An extract of its messages is used. */
  | 'SUMMARY_FAILED'
  /** What is sent does not fit into the model's window, whatever is cut. Reported once for each session. */
  | 'WINDOW_EXCEEDED'
  /**
   * An active skill did not fit into the model's window, and the host asked to deactivate it then; or the session may
   * not see it any more, or use it as it was; or it ended with a run that the conversation outlives.
   */
  | 'SKILL_DEACTIVATED'
  /** The provider keeps or summarises the conversation itself, so nothing is cut. Reported once for each session. */
  | 'WINDOW_LEFT_ALONE'
  /** The host's counter of tokens failed, and an estimate is used. Reported once for each session. */
  | 'TOKENS_NOT_COUNTED'
  /** A step, a call or a turn began after the session's end, as when a stream outlives `runTask`. Once a session. */
  | 'SESSION_ENDED_EARLY'

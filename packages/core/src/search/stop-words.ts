/**
 * Words that say nothing of what a skill is about: those that hold sentences together, and those of a request, such as
 * "please help me". Some two hundred, in lower case, an apostrophe taken as the end of a word.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by came can cannot
  could d did do does doing don down during each else etc even every few for from further get gets getting give go goes
  going got had has have having he her here hers him his how i if in into is isn it its itself just kind let like ll lot
  m make makes making many may maybe me might mine more most much must my myself need needs no nor not now of off ok on
  once one only or other our ours out over own per please put quite rather re really s same seem she should so some
  something still such sure t take than thank thanks that the their theirs them then there these they thing things this
  those through to too try trying two under until up us use used uses using ve very via want wants was way we well were
  what whatever when where whether which while who whom whose why will with without would yet you your yours yourself
  help helps helping ask asks asking`.split(/\s+/),
)

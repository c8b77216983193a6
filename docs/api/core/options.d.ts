// The public API of @repertoire/core/options (values: 30, types: 4). Written by "npm run api".

import { ScriptLimits } from '@repertoire/core'

// Values

export const anyText: OptionKind;

export const anything: OptionKind;

export const callable: OptionKind;

export function checkOptions<Options extends object>(name: string, table: OptionTable<Options>, options: unknown, example?: string): void;

export function either(...kinds: readonly OptionKind[]): OptionKind;

export const flag: OptionKind;

export function foreign(expects: string, test?: (value: unknown) => boolean): OptionKind;

export function functionOf(expects: string): OptionKind;

export const layerKind: OptionKind;

export function listOf(kind: OptionKind, expects?: string): OptionKind;

export function number(what: string, range: NumberRange): OptionKind;

export const off: OptionKind;

export function oneOf(...values: readonly string[]): OptionKind;

export function optionRows(table: AnyTable, prefix?: string): readonly OptionRow[];

export function readOptions<Options extends object>(name: string, table: OptionTable<Options>, options: unknown, example?: string): Options;

export function recordOf(kind: OptionKind, expects?: string): OptionKind;

export const repertoireKind: OptionKind;

export function required(kind: OptionKind): RequiredKind;

export function resolveScriptLimits(given?: Partial<ScriptLimits>): ScriptLimits;

export const scriptLimitsKind: OptionKind;

export const secret: OptionKind;

export const sessionKind: OptionKind;

export const signal: OptionKind;

export function tableOf<Options extends object>(table: OptionTable<Options>): OptionKind;

export const text: OptionKind;

export const timeLimit: OptionKind;

export const viewerKind: OptionKind;

export const watchKind: OptionKind;

export function withDefault(value: unknown, kind: OptionKind): OptionKind;

export function withMethods(expects: string, ...methods: readonly string[]): OptionKind;

// Types

export interface OptionKind {
    readonly expects: string;
    readonly problem: (value: unknown, path: string) => string | undefined;
    readonly copy?: (value: unknown) => unknown;
    readonly default?: unknown;
    readonly required?: undefined;
    readonly isMeant?: (value: unknown) => boolean;
    readonly options?: AnyTable;
}

export interface OptionRow {
    readonly path: string;
    readonly expects: string;
    readonly default: unknown;
    readonly isRequired: boolean;
}

export type OptionTable<Options extends object> = {
    readonly [Name in keyof Options]-?: {} extends Pick<Options, Name> ? OptionKind : RequiredKind;
};

export interface RequiredKind extends Omit<OptionKind, 'required'> {
    readonly required: true;
}

// Not exported, but part of the above

type AnyTable = Readonly<Record<string, OptionKind | RequiredKind>>;

interface NumberRange {
    readonly from?: number;
    readonly above?: number;
    readonly to?: number;
    readonly isWhole?: boolean;
    readonly isUnlimited?: boolean;
}

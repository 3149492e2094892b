/**
 * The words in which the contract describes values: JSON Schema (2020-12), as far as we use it, and one word for the shell.
 * Everything here is plain data, so that it can be printed, copied into OpenAPI and compared.
 */
type Common = {
  readonly description: string;
  /** The option's name where the wire's own would read poorly: `limit` for `maxResultCount`. */
  readonly flag?: string;
};

export type StringSchema = Common & {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly minLength?: number;
  /** In code points, as JSON Schema counts. */
  readonly maxLength?: number;
  readonly format?: StringFormat;
  readonly examples?: readonly string[];
};

/** `guid` is any form that .NET reads; `threshold` is an operator and a number; `quartz` a Quartz cron expression. */
export type StringFormat = 'guid' | 'threshold' | 'quartz' | 'date-time' | 'uri';

export type IntegerSchema = Common & {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  /** What it counts; an option then takes durations as well. */
  readonly unit?: 'seconds';
};

export type BooleanSchema = Common & {
  readonly type: 'boolean';
  /** The option that says false: `disable` beside `enable`. */
  readonly negative?: string;
};

export type ArraySchema = Common & { readonly type: 'array'; readonly items: Schema };

export type ObjectSchema = Common & {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly minProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  /** Pairs of fields that exclude each other. */
  readonly allOf?: readonly { readonly not: { readonly required: readonly [string, string] } }[];
};

/** A string or null. */
export type NullableStringSchema = Common & {
  readonly type: readonly ['string', 'null'];
  readonly format?: StringFormat;
};

/** Anything: what the interface does not show. */
type AnySchema = Common & { readonly type?: never };

export type Schema =
  | StringSchema
  | IntegerSchema
  | BooleanSchema
  | ArraySchema
  | ObjectSchema
  | NullableStringSchema
  | AnySchema;

/** The TypeScript type of the values a schema describes. */
export type Infer<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'array'; readonly items: infer I }
          ? Infer<I>[]
          : S extends { readonly type: readonly ['string', 'null'] }
            ? string | null
            : S extends { readonly type: 'object'; readonly properties: infer P }
              ? { -readonly [K in keyof P]?: Infer<P[K]> }
              : S extends { readonly type: 'object'; readonly additionalProperties: infer V }
                ? Record<string, Infer<V>>
                : S extends { readonly type: 'object' }
                  ? Record<string, unknown>
                  : unknown;

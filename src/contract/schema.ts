/** Keywords of all schemas. Schemas are plain data in words of JSON Schema (2020-12), with additions for options. */
type Common = {
  /** The schema's name in the interface and in the OpenAPI document. One name has one schema. */
  readonly title?: string;
  readonly description: string;
  /** A better name for the option than the field's own: `limit` for `maxResultCount`. */
  readonly flag?: string;
  /** Names the stored value that this field replaces as a whole: "list of tags". */
  readonly whole?: string;
};

export type StringSchema = Common & {
  readonly type: 'string';
  readonly enum?: readonly string[];
  /** In code points, as JSON Schema counts. */
  readonly maxLength?: number;
  readonly format?: StringFormat;
};

/** `guid` is a Guid in any form that .NET reads, `threshold` an operator and a number, and `quartz` a Quartz cron expression. */
export type StringFormat = 'guid' | 'threshold' | 'quartz' | 'date-time' | 'uri';

export type IntegerSchema = Common & {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  /** The unit of the number. With it, the option accepts durations, too. */
  readonly unit?: 'seconds';
};

export type BooleanSchema = Common & {
  readonly type: 'boolean';
  /** The option for false: `disable` for `enable`. */
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
  readonly not?: { readonly anyOf: readonly { readonly required: readonly [string, string] }[] };
};

export type NullableStringSchema = Common & {
  readonly type: readonly ['string', 'null'];
  readonly format?: StringFormat;
};

export type Schema =
  | StringSchema
  | IntegerSchema
  | BooleanSchema
  | ArraySchema
  | ObjectSchema
  | NullableStringSchema
  | (Common & { readonly type?: never });

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

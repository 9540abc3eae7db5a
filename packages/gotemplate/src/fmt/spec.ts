/** The part of a directive between the percent sign and the verb. */
export interface Spec {
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** `%+v`: names of fields. `plus` is off, because no sign is printed. */
  readonly plusV: boolean;
  /** `%#v`: Go's syntax; `sharp` is off. */
  readonly sharpV: boolean;
  /** In code points; 0 is none. */
  readonly width: number;
  /** -1 is none. */
  readonly precision: number;
}

export const PLAIN: Spec = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: 0,
  precision: -1,
};

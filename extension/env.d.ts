interface ImportMetaEnv {
  /** Address of the default server. */
  readonly WXT_CURT_SERVER?: string;
}

// What operations take. Made from package operation by go test ./operation -update.
import type { EditCosts } from "./costs";

export interface SearchFields {
  task?: "ged" | "sed";
  smarts?: string;
  k?: number;
  radius?: number;
  mode?: "proven" | "checked" | "predicted";
  recall?: number;
  filter?: string[];
  show?: string[];
  time_limit?: string;
  costs?: string | EditCosts;
  ignore_edge_labels?: boolean;
  no_model?: boolean;
  explain?: boolean;
}

export interface ContainedFields {
  k?: number;
  filter?: string[];
  show?: string[];
  time_limit?: string;
}

export interface DistancesFields {
  task?: "ged" | "sed";
  fix?: string;
  within?: number;
  costs?: string | EditCosts;
  ignore_edge_labels?: boolean;
  time_limit?: string;
  maps?: number;
  explain?: boolean;
}

export interface DifferencesFields {
  time_limit?: string;
  match?: "auto" | "names" | "cost";
  costs?: string | EditCosts;
  ignore_edge_labels?: boolean;
}

export interface CliffsFields {
  attribute?: string;
  radius?: number;
  fragments?: number;
  k?: number;
  environment?: number;
  filter?: string[];
  time_limit?: string;
  costs?: string | EditCosts;
  ignore_edge_labels?: boolean;
}

export interface SARFields {
  core?: string;
  smarts?: boolean;
  radius?: number;
  only_marked?: boolean;
  k?: number;
  skip?: number;
  filter?: string[];
  show?: string[];
  time_limit?: string;
}

export interface EmbedFields {
  task?: "ged" | "sed";
}

// A git repository fulfills the workspace's contract.
import { describeWorkspace } from "../../testing/workspace-suite.ts";

describeWorkspace("git");

// A folder without git fulfills the workspace's contract.
import { describeWorkspace } from "../../testing/workspace-suite.ts";

describeWorkspace("plain");

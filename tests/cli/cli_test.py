"""The program from outside: exit codes, JSON keys, refusals, files. Usage: cli_test.py PATH_OF_TRILITH"""
import hashlib, json, os, signal, subprocess, sys, tempfile, time, unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/release/trilith"

CUBE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def box(id_, at=(0, 0, 0), size=(1, 1, 1), **more):
    return {"id": id_, "vertices": [[a + s * c for a, s, c in zip(at, size, v)] for v in CUBE], "faces": FACES, **more}


def stack():
    return {"units": "m", "friction": 0.6, "density": 2000, "blocks": [box("ground", (-1, -1, -1), (3, 3, 1), fixed=True), box("low"), box("high", (0.2, 0, 1))]}


def run(*args, **kw):
    p = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **kw)
    return p.returncode, p.stdout, p.stderr


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, value):
        with open(self.path(name), "w") as f:
            f.write(value if isinstance(value, str) else json.dumps(value))
        return self.path(name)

    def check(self, doc, *args):
        code, out, err = run("check", self.write("in.json", doc), "--json", "-", *args)
        return code, json.loads(out) if out else None, err


class Usage(unittest.TestCase):
    def test_help_and_version_succeed(self):
        for args in (["--help"], ["--version"], ["check", "--help"], ["verify", "--help"], ["generate", "--help"], ["qp", "--help"], ["order", "--help"], ["gate", "--help"],
                     ["margin", "--help"]):
            code, out, err = run(*args)
            self.assertEqual((code, err), (0, ""), args)
            self.assertTrue(out)

    def test_help_shows_an_example(self):
        for command in ("check", "verify", "generate", "qp", "order", "gate", "margin"):
            self.assertIn("Example:", run(command, "--help")[1])

    def test_wrong_words_are_usage_errors(self):
        for args in ([], ["chek"], ["check"], ["check", "a.json", "--nosuch"], ["check", "a.json", "--friction", "x"], ["check", "a.json", "--friction", "nan"],
                     ["check", "a.json", "--gravity", "1,2"], ["check", "a.json", "--solver", "nosuch"], ["check", "a.json", "--faces", "2"], ["check", "a.json", "--faces", "65"],
                     ["check", "a.json", "--cone", "round"], ["check", "a.json", "--gamma", "0"], ["check", "a.json", "--threads", "0"],
                     ["check", "a.json", "--unit", "furlong"], ["check", "a.json", "--tolerance", "-1"], ["check", "a.json", "--time-limit", "-1"]):
            code, out, err = run(*args)
            self.assertEqual(code, 64, args)
            self.assertTrue(err or not args, args)

    def test_a_mistyped_command_gets_a_suggestion(self):
        self.assertIn("did you mean check", run("chekc")[2])


class PenaltyProgram(InFolder):
    def test_the_report_is_there_only_where_it_was_asked_for(self):
        self.assertIsNone(self.check(stack())[1]["rbe"])
        code, out, err = self.check(stack(), "--faces", "12")
        self.assertEqual((code, out["verdict"]), (0, "stands"), err)
        rbe = out["rbe"]
        self.assertEqual({k: rbe["settings"][k] for k in ("form", "cone", "faces", "gamma", "tau", "hessian_scale")},
                         {"form": "net", "cone": "inscribed", "faces": 12, "gamma": 1000, "tau": 1, "hessian_scale": 1})
        self.assertTrue(rbe["stable_by_ratio"])
        self.assertGreater(rbe["objective"], 0)
        self.assertEqual(len(rbe["interfaces"]), len(out["interfaces"]))
        for key in ("max_tension_N", "max_compression_N", "max_friction_utilization", "weakest_interface", "solver", "certificate"):
            self.assertIn(key, rbe)

    def test_a_fall_has_no_objective_in_the_form_net_and_a_pull_in_the_form_plus(self):
        doc = stack()
        doc["blocks"][2] = box("high", (0.6, 0, 1))
        code, out, _ = self.check(doc, "--faces", "8")
        self.assertEqual((code, out["verdict"]), (1, "falls"))
        self.assertEqual((out["rbe"]["objective"], out["rbe"]["stable_by_ratio"]), (None, False))
        self.assertTrue(out["rbe"]["certificate"]["verified"])
        code, out, _ = self.check(doc, "--rbe-form", "plus")
        self.assertEqual(out["rbe"]["stable_by_ratio"], False)
        self.assertGreater(out["rbe"]["max_tension_N"], 0)
        self.assertEqual(out["rbe"]["weakest_interface"]["b"], "high")

    def test_each_engine_gives_the_verdict_or_is_refused_with_the_reason(self):
        falling = stack()
        falling["blocks"][2] = box("high", (0.6, 0, 1))
        for doc, want in ((stack(), "stands"), (falling, "falls")):
            code, out, err = self.check(doc, "--solver", "admm")
            self.assertEqual((out["verdict"], out["method"]), (want, "admm"), err)
            self.assertTrue(out["rbe"]["solver"]["engine"].startswith("admm"))
            code, out, err = self.check(doc, "--solver", "osqp")
            if code == 64:
                self.assertIn("OSQP", err)
            else:
                self.assertEqual((out["verdict"], out["method"]), (want, "osqp"), err)


class Check(InFolder):
    def test_magnitudes_that_no_structure_has_are_refused_by_place(self):
        def with_load(force):
            return {**stack(), "loads": [{"block": "low", "force_N": [force, 0, 0]}]}
        for doc, where in (({**stack(), "gravity": [0, 0, -1e300]}, "/gravity"), ({**stack(), "gravity": [0, 0, -1e-300]}, "/gravity"), ({**stack(), "density": 1e300}, "/density"),
                           ({**stack(), "density": 1e-300}, "/density"), ({**stack(), "friction": 1e300}, "/friction"), ({**stack(), "tension_Pa": 1e300}, "/tension_Pa"),
                           (with_load(1e300), "/loads/0")):
            code, out, err = self.check(doc)
            self.assertEqual((code, out), (65, None), where)
            self.assertIn(where, err)

    def test_an_output_without_a_name_is_refused(self):
        path = self.write("in.json", stack())
        code, out, err = run("check", path, "--certificate", "")
        self.assertEqual(code, 64)
        self.assertIn("name of a file", err)

    def test_a_stack_stands_with_a_proof(self):
        code, out, err = self.check(stack())
        self.assertEqual((code, out["verdict"], out["claim"]), (0, "stands", "rbe"))
        self.assertTrue(out["certificate"]["verified"])
        self.assertEqual(out["certificate"]["kind"], "force_state")
        self.assertLess(out["certificate"]["residual"], 1e-8)
        self.assertAlmostEqual(out["support_reactions_N"]["ground"][2], -2 * 2000 * 9.80665, places=4)

    def test_result_has_the_keys_of_the_contract(self):
        out = self.check(stack())[1]
        for key in ("schema", "engine", "input_sha256", "settings", "verdict", "claim", "method", "margin", "blocks", "interfaces", "support_reactions_N",
                    "certificate", "solver", "time_s", "warnings"):
            self.assertIn(key, out)
        self.assertIsNone(out["rbe"])
        self.assertEqual(set(out["time_s"]), {"read", "interfaces", "solve", "verify"})
        face = out["interfaces"][0]
        self.assertLessEqual({"a", "b", "area_m2", "normal", "vertices_m", "forces_N", "frame", "utilization"}, set(face))
        self.assertEqual(len(face["forces_N"]), len(face["vertices_m"]))
        self.assertEqual(out["input_sha256"], hashlib.sha256(open(self.path("in.json"), "rb").read()).hexdigest())

    def test_a_block_without_contact_falls_and_is_named(self):
        doc = stack()
        doc["blocks"].append(box("lost", (0, 0, 5)))
        code, out, err = self.check(doc)
        self.assertEqual((code, out["verdict"], out["certificate"]["kind"]), (1, "falls", "infeasibility_ray"))
        self.assertEqual(out["unsupported"], [["lost"]])
        self.assertTrue(out["certificate"]["verified"])
        self.assertIsNone(out["interfaces"][0]["forces_N"])

    def test_a_pair_that_only_touches_each_other_falls(self):
        doc = stack()
        doc["blocks"] += [box("p", (0, 0, 5)), box("q", (0, 0, 6))]
        out = self.check(doc)[1]
        self.assertEqual((out["verdict"], out["unsupported"]), ("falls", [["p", "q"]]))

    def test_an_overhanging_block_falls_and_the_proof_verifies(self):
        doc = stack()
        doc["blocks"][2] = box("high", (0.6, 0, 1))
        code, out, err = self.check(doc, "--certificate", self.path("cert.json"))
        self.assertEqual((code, out["verdict"], out["method"], out["margin"]["unit"]), (1, "falls", "ipm", "weight"))
        self.assertGreaterEqual(out["margin"]["value"] or 1e300, 1e6)
        self.assertEqual(run("verify", self.path("in.json"), self.path("cert.json"))[0], 1)

    def test_a_fall_says_what_moves_about_which_edge_and_what_to_prop(self):
        model = self.path("s.json")
        run("generate", "stack", "--count", "2", "--offset", "0.6", "-o", model)
        code, out, err = run("check", model, "--tension")
        self.assertEqual(code, 1, err)
        for part in ("in one piece", "turns about its edge (1, 0, 1) - (1, 1, 1)", "Remove or prop b2", "100 %", "With joints that can pull"):
            self.assertIn(part, out)
        result = json.loads(run("check", model, "--json", "-", "--tension")[1])
        self.assertEqual([body["id"] for body in result["collapse"]["bodies"]], ["b2"])
        self.assertEqual([joint["kind"] for joint in result["collapse"]["joints"]], ["turns"])
        # the back edge of the .4 m joint pulls twice t against the weight beyond the front edge
        weight = 2400 * 9.80665
        self.assertAlmostEqual(result["tension"]["value_N"] / weight, 0.1 / (2 * 0.4), 4)
        self.assertIsNone(json.loads(run("check", model, "--json", "-")[1])["tension"])

    def test_only_supports_stand_with_a_warning(self):
        doc = stack()
        for b in doc["blocks"]:
            b["fixed"] = True
        code, out, err = self.check(doc)
        self.assertEqual((code, out["verdict"]), (0, "stands"))
        self.assertTrue(out["warnings"])

    def test_missing_supports_are_chosen_with_a_warning(self):
        doc = stack()
        doc["blocks"][0]["fixed"] = False
        code, out, err = self.check(doc)
        self.assertEqual((code, [b["id"] for b in out["blocks"] if b["fixed"]]), (0, ["ground"]))
        self.assertIn("ground", err)

    def test_defaults_are_told(self):
        doc = stack()
        del doc["friction"], doc["density"]
        out = self.check(doc)[1]
        self.assertEqual((out["settings"]["friction"], out["settings"]["density"]), (0.84, 2400))
        self.assertEqual(sum("0.84" in w["what"] or "2400" in w["what"] for w in out["warnings"]), 2)

    def test_flags_win_over_the_file_and_are_echoed(self):
        out = self.check(stack(), "--friction", "0.3", "--gravity", "0,0,-5", "--density", "1000")[1]
        self.assertEqual((out["settings"]["friction"], out["settings"]["gravity"]), (0.3, [0, 0, -5]))
        self.assertAlmostEqual(out["support_reactions_N"]["ground"][2], -2 * 1000 * 5, places=4)

    def test_units_scale_lengths(self):
        out = self.check({**stack(), "units": "mm"})[1]
        self.assertAlmostEqual(out["blocks"][1]["volume_m3"], 1e-9, delta=1e-20)

    def test_each_rung_can_be_asked_for(self):
        for rung in ("ls", "projections", "ipm"):
            code, out, err = self.check(stack(), "--solver", rung)
            self.assertEqual((code, out["method"]), (0, rung))

    def test_threads_do_not_change_the_answer(self):
        drop = lambda o: {k: v for k, v in o.items() if k not in ("time_s", "ladder")}
        self.assertEqual(drop(self.check(stack(), "--threads", 1)[1]), drop(self.check(stack(), "--threads", 2)[1]))

    def test_instruction_sets_do_not_change_the_answer(self):
        path = self.write("in.json", stack())
        answers = set()
        for isa in ("baseline", "v3", "v4"):
            out = json.loads(run("check", path, "--json", "-", env={**os.environ, "TRILITH_ISA": isa})[1])
            answers.add(json.dumps(out["interfaces"]))
        self.assertEqual(len(answers), 1)

    def test_text_says_what_it_means(self):
        code, out, err = run("check", self.write("in.json", stack()))
        self.assertIn("STANDS", out)
        self.assertIn("worst unbalanced force", out)
        self.assertIn("of the mean block weight", out)

    def test_quiet_prints_nothing(self):
        self.assertEqual(run("check", self.write("in.json", stack()), "--quiet")[1], "")

    def test_a_zero_time_limit_is_undecided_and_quick(self):
        start = time.time()
        code, out, err = self.check(stack(), "--time-limit", "0")
        self.assertLess(time.time() - start, 4)
        self.assertIn((code, out["verdict"]), ((2, "undecided"),))
        self.assertEqual(out["solver"]["status"], "time_limit")

    def test_what_was_not_read_when_the_limit_came_is_null(self):
        os.mkfifo(self.path("never.json"))  # nobody writes: reading never ends
        code, out, err = run("check", self.path("never.json"), "--time-limit", "0.1", "--json", "-")
        out = json.loads(out)
        self.assertEqual((code, out["verdict"], out["solver"]["status"]), (2, "undecided", "time_limit"))
        for key in ("friction", "density", "gravity", "unit", "interfaces", "contact_gap", "contact_area"):
            self.assertIsNone(out["settings"][key], key)
        self.assertIsNone(out["input_sha256"])
        self.assertEqual((out["settings"]["solver"], out["settings"]["time_limit_s"]), ("auto", 0.1))

    def test_an_unknown_instruction_set_is_told_once_and_ignored(self):
        path = self.write("in.json", stack())
        for wanted, lines in (("avx512", 1), ("", 0), ("baseline", 0)):
            code, out, err = run("check", path, env={**os.environ, "TRILITH_ISA": wanted})
            self.assertEqual((code, err.count("TRILITH_ISA")), (0, lines), wanted)


class Refusals(InFolder):
    def refused(self, doc, *words, code=65):
        got, out, err = self.check(doc)
        self.assertEqual(got, code, err)
        for word in words:
            self.assertIn(word, err)

    def test_bad_numbers_are_refused_by_path(self):
        self.refused({**stack(), "friction": -0.3}, "friction", "-0.3")
        self.refused({**stack(), "density": 0}, "density")
        bad = stack()
        bad["blocks"][1]["density"] = -1
        self.refused(bad, "/blocks/1/density")
        bad = stack()
        bad["blocks"][1]["vertices"][0][0] = 1e300
        self.refused(bad, "low")

    def test_all_problems_come_at_once(self):
        bad = {**stack(), "friction": -1}
        bad["blocks"][1]["density"] = -1
        bad["blocks"][2]["density"] = 0
        self.refused(bad, "friction", "/blocks/1/density", "/blocks/2/density")

    def test_bad_models_are_refused(self):
        self.refused({**stack(), "blocks": []}, "block")
        self.refused({**stack(), "blocks": stack()["blocks"] + [box("low", (0, 0, 9))]}, "low")
        flat = {"id": "sheet", "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "faces": [[0, 1, 2, 3], [3, 2, 1, 0]]}
        self.refused({**stack(), "blocks": stack()["blocks"] + [flat]}, "sheet", "flat")
        holed = stack()
        holed["blocks"][1]["faces"] = FACES[1:]
        self.refused(holed, "low", "4 boundary edges")
        self.refused({**stack(), "interfaces": [{"a": "low", "b": "nobody", "polygon": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}]}, "nobody")

    def test_bad_json_is_refused_with_its_place(self):
        for text in ('{"blocks": [}', '{"a": 1, "a": 2}', "", "<html></html>", "[" * 5000, '{"blocks": NaN}'):
            code, out, err = run("check", self.write("bad.json", text))
            self.assertEqual(code, 65, text[:20])
            self.assertIn("bad.json", err)

    def test_unknown_support_is_refused(self):
        code, out, err = self.check(stack(), "--fixed", "grond")
        self.assertEqual(code, 65)
        self.assertIn("ground", err)

    def test_files_that_cannot_be_read_or_written_are_exit_74(self):
        self.assertEqual(run("check", self.path("absent.json"))[0], 74)
        path = self.write("in.json", stack())
        for target in ("/dev/full", self.path("no/such/folder/out.json")):
            self.assertEqual(run("check", path, "--json", target)[0], 74, target)
        keep = self.write("keep.json", "precious")
        for option in ("--certificate", "--json", "--write-compas"):
            code, out, err = run("check", path, option, keep)
            self.assertEqual((code, out), (74, ""), option)  # before the work, not after it
            self.assertIn("--force", err)
        self.assertEqual(open(keep).read(), "precious")
        self.assertEqual(run("check", path, "--certificate", keep, "--force")[0], 0)
        self.assertEqual([f for f in os.listdir(self.folder.name) if f not in ("in.json", "keep.json")], [])

    def test_an_old_proof_is_told_where_the_answer_is_undecided(self):
        path, keep = self.write("in.json", stack()), self.write("old.json", "{}")
        doc = stack()
        doc["loads"] = [{"block": "high", "force_N": [0, 0, -10]}]
        code, out, err = run("check", self.write("loaded.json", doc), "--claim", "cra", "--certificate", keep, "--force")
        self.assertEqual(code, 2)
        self.assertIn("is still the one of an earlier run", err)
        self.assertIn("the claim cra is not decided where blocks carry loads", out)

    def test_a_margin_takes_the_place_of_what_is_not_said(self):
        path = self.write("in.json", stack())
        self.assertIn("What this does not say: how far", run("check", path)[1])
        text = run("check", path, "--margin")[1]
        self.assertNotIn("What this does not say", text)
        self.assertIn("of its weight sideways", text)

    def test_an_output_over_the_input_is_refused_even_with_force(self):
        path = self.write("in.json", stack())
        before = open(path).read()
        self.assertEqual(run("check", path, "--certificate", path, "--force")[0], 74)
        self.assertEqual(open(path).read(), before)

    def test_a_full_stdout_is_exit_74(self):
        with open("/dev/full", "w") as full:
            p = subprocess.run([PROGRAM, "check", self.write("in.json", stack()), "--json", "-"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(p.returncode, 74)


class Verify(InFolder):
    def proof(self, doc=None, *args):
        path, cert = self.write("in.json", doc or stack()), self.path("cert.json")
        code = run("check", path, "--certificate", cert, "--force", *args)[0]
        return path, cert, code

    def verify(self, path, cert, *args):
        code, out, err = run("verify", path, cert, "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def test_a_proof_verifies(self):
        path, cert, code = self.proof()
        code, out, err = self.verify(path, cert)
        self.assertEqual((code, out["verdict"], out["kind"], out["broken"]), (0, "stands", "force_state", []))
        self.assertLess(out["residual"], 1e-8)

    def test_a_fall_verifies(self):
        doc = stack()
        doc["blocks"].append(box("lost", (0, 0, 5)))
        path, cert, code = self.proof(doc)
        code, out, err = self.verify(path, cert)
        self.assertEqual((code, out["verdict"], out["kind"]), (1, "falls", "infeasibility_ray"))

    def bar(self, mu):
        path = self.path("bar.json")
        run("generate", "h-model", "--friction", mu, "-o", path, "--force")
        return path

    def test_coupled_analysis_decides_a_bar_on_both_sides_and_both_proofs_verify(self):
        for mu, verdict, exit, kind in ((0.51, "stands", 0, "cra_pair"), (0.49, "falls", 1, "cra_refutation")):
            path, cert = self.bar(mu), self.path("coupled.json")
            code, out, err = run("check", path, "--claim", "cra", "--json", "-", "--certificate", cert, "--force")
            out = json.loads(out)
            self.assertEqual((code, out["verdict"], out["claim"], out["certificate"]["kind"]), (exit, verdict, "cra", kind))
            for key in ("residual_eps", "give_m", "rounds", "engaged", "peeled", "zeroed", "decided_by"):
                self.assertIn(key, out["cra"])
            self.assertAlmostEqual(out["cra"]["bound_m"], 100 * out["cra"]["give_m"])
            code, out, err = self.verify(path, cert)
            self.assertEqual((code, out["verdict"], out["kind"]), (exit, verdict, kind))
            self.assertIn(verdict + " under the claim cra", run("verify", path, cert)[1])

    def test_a_damaged_pair_or_search_is_refused(self):
        for mu, damages in ((0.51, ("alpha_N_per_m", "displacements", "forces_N", "bound_m")), (0.49, ("steps", "bound_gives"))):
            path, cert = self.bar(mu), self.path("coupled.json")
            run("check", path, "--claim", "cra", "--certificate", cert, "--force", "--quiet")
            good = json.load(open(cert))
            for key in damages:
                bad = json.loads(json.dumps(good))
                if key == "displacements":
                    bad[key] = {id_: [-v for v in motion] for id_, motion in bad[key].items()}
                elif key == "steps":
                    bad[key] = bad[key][1:]
                elif key in ("bound_m", "bound_gives"):  # another claim: more room for a pair, less for a motion
                    bad[key] *= 1.01 if key == "bound_m" else 0.99
                else:
                    bad[key] = [[[-v for v in f] if isinstance(f, list) else 2 * f for f in row] for row in bad[key]]
                code, out, err = self.verify(path, self.write("bad.json", bad))
                self.assertEqual((code, out["verdict"]), (2, "undecided"), key)
                self.assertTrue(out["broken"])

    def test_ipopt_and_the_penalty_form_belong_to_coupled_analysis(self):
        path = self.bar(0.55)
        self.assertEqual(run("check", path, "--solver", "ipopt")[0], 64)
        self.assertEqual(run("check", path, "--penalty-cra")[0], 64)
        code, out, err = run("check", path, "--claim", "cra", "--penalty-cra", "--json", "-")
        if code == 64:
            self.assertIn("ipopt", err)
            return
        penalty = json.loads(out)["cra"]["penalty"]
        self.assertIn("no verdict", penalty["meaning"])
        self.assertIn("residual", penalty)

    def test_an_equilibrium_is_no_proof_of_the_coupled_claim(self):
        path, cert, code = self.proof()
        bad = json.load(open(cert))
        bad["claim"] = "cra"
        self.assertEqual(self.verify(path, self.write("bad.json", bad))[0], 2)

    def test_flags_of_the_check_travel_in_the_certificate(self):
        path, cert, code = self.proof(None, "--friction", "0.2", "--gravity", "0,0,-3")
        self.assertEqual(self.verify(path, cert)[0], 0)

    def test_every_damage_is_refused_with_a_reason(self):
        path, cert, code = self.proof()
        good = json.load(open(cert))
        for damage in (lambda d: d["forces_N"][0][0].__setitem__(2, -d["forces_N"][0][0][2]), lambda d: d["forces_N"][1][0].__setitem__(0, 1e6),
                       lambda d: d["interfaces"][0].__setitem__("mu", 5), lambda d: [p.__setitem__(2, p[2] + 0.1) for p in d["interfaces"][1]["polygon"]],
                       lambda d: d["forces_N"].__setitem__(0, [[0, 0, 0]] * 4), lambda d: d["interfaces"][0].__setitem__("normal", [0, 0, -1])):
            bad = json.loads(json.dumps(good))
            damage(bad)
            code, out, err = self.verify(path, self.write("bad.json", bad))
            self.assertEqual((code, out["verdict"]), (2, "undecided"))
            self.assertTrue(out["broken"])

    def test_another_assembly_or_a_broken_file_is_exit_65(self):
        path, cert, code = self.proof()
        other = self.write("other.json", {**stack(), "friction": 0.61})
        self.assertEqual(self.verify(other, cert)[0], 65)
        self.assertEqual(self.verify(path, self.write("x.json", "{}"))[0], 65)
        self.assertEqual(self.verify(path, self.write("y.json", "no json"))[0], 65)
        newer = json.load(open(cert))
        newer["schema"] = "trilith.certificate/99"
        code, out, err = self.verify(path, self.write("z.json", newer))
        self.assertEqual(code, 65)
        self.assertIn("newer", err)


class Generate(InFolder):
    KINDS = ("wall", "published-wall", "opening", "polygonal-wall", "rubble", "portal", "portico", "stack", "tilted-stack", "overhang", "corbel", "incline",
             "h-model", "wedge", "arch", "pointed-arch", "jack-arch", "barrel-vault", "cross-vault", "dome")

    def test_every_kind_is_written_and_stands(self):
        for kind in self.KINDS:
            path = self.path(kind + ".json")
            self.assertEqual(run("generate", kind, "-o", path)[0], 0)
            self.assertEqual(run("check", path)[0], 0, kind)

    def test_help_lists_every_kind_and_each_kind_its_options_with_defaults(self):
        for kind in self.KINDS:
            self.assertIn("  " + kind + " ", run("generate", "--help")[1])
            code, out, err = run("generate", kind, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertIn("--friction", out)
            self.assertIn("Usage: trilith generate " + kind + " [", out)
        self.assertIn("(.15)", run("generate", "arch", "--help")[1])
        self.assertIn("into the file (.84)", " ".join(run("generate", "wall", "--help")[1].split()))
        self.assertIn("into the file (.65)", " ".join(run("generate", "published-wall", "--help")[1].split()))

    def test_the_same_options_give_the_same_bytes(self):
        for kind, options in (("wall", ("--columns", 5, "--rows", 4)), ("rubble", ("--seed", 5)), ("polygonal-wall", ("--seed", 5)), ("dome", ())):
            texts = []
            for name in ("a.json", "b.json"):
                run("generate", kind, *options, "-o", self.path(name), "--force")
                texts.append(open(self.path(name)).read())
            self.assertEqual(*texts)

    def test_another_seed_gives_another_wall(self):
        texts = {run("generate", "rubble", "--seed", seed)[1] for seed in (1, 2, 3)}
        self.assertEqual(len(texts), 3)

    def test_friction_comes_from_the_option_the_kind_or_the_default(self):
        friction = lambda *words: json.loads(run("generate", *words)[1])["friction"]
        self.assertEqual((friction("wall"), friction("published-wall"), friction("published-wall", "--friction", 0.5)), (0.84, 0.65, 0.5))

    def test_other_names_of_kinds_are_known(self):
        self.assertEqual(run("generate", "vault")[1], run("generate", "barrel-vault")[1])

    def test_nonsense_is_a_usage_error(self):
        for args in (["generate"], ["generate", "castle"], ["generate", "wall", "--rows", "0"], ["generate", "wall", "--rows", "1.5"]):
            self.assertEqual(run(*args)[0], 64, args)

    def test_options_that_cannot_be_built_are_named(self):
        for option, args in (("--thickness", ["arch", "--thickness", "2.5"]), ("--count", ["pointed-arch", "--count", "7"]), ("--jitter", ["rubble", "--jitter", "0.6"]),
                             ("--factor", ["overhang", "--factor", "2"]), ("--top", ["opening", "--top", "roof"]), ("--drums", ["wall", "--drums", "3"]),
                             ("--angle", ["incline", "--angle", "90"]), ("--friction", ["wall", "--friction", "-1"]), ("--density", ["wall", "--density", "0"]),
                             ("--span", ["corbel", "--span", "0.5"]), ("--seed", ["rubble", "--seed", "-1"]), ("--length", ["wall", "--length", "nan"])):
            code, out, err = run("generate", *args)
            self.assertEqual((code, out), (64, ""), args)
            self.assertIn(option, err)
            self.assertEqual(err.count("\n"), 1, err)

    def test_a_mistyped_kind_gets_a_suggestion(self):
        code, out, err = run("generate", "barel-vault", "--count", 5)
        self.assertEqual(code, 64)
        self.assertIn("did you mean barrel-vault", err)


class Interrupts(InFolder):
    def test_ctrl_c_ends_a_long_check_cleanly(self):
        path = self.path("wall.json")
        run("generate", "wall", "--columns", 140, "--rows", 140, "-o", path)
        p = subprocess.Popen([PROGRAM, "check", path, "--gravity", "9,0,-9"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        start = time.time()
        p.send_signal(signal.SIGINT)
        p.communicate(timeout=20)
        self.assertLess(time.time() - start, 2)
        self.assertEqual(p.returncode, 130)


class WriteCompas(InFolder):
    """--write-compas: the assembly under COMPAS keys, with forces, readable again."""
    FRAME = {"dtype": "compas.geometry/Frame", "data": {"point": [0, 0, 1], "xaxis": [1, 0, 0], "yaxis": [0, 1, 0]}}

    @staticmethod
    def block(at):
        vertices = {str(3 * i): dict(zip("xyz", (a + c for a, c in zip(at, v)))) for i, v in enumerate(CUBE)}
        return {"dtype": "compas_assembly.datastructures/Block",
                "data": {"attributes": {"name": "stone", "mine": 7}, "vertex": vertices, "face": {str(i): [3 * v for v in f] for i, f in enumerate(FACES)}}, "guid": "g"}

    def compas(self, points, unit=1.0):
        interface = {"dtype": "compas_assembly.datastructures/Interface", "data": {"points": points, "frame": self.FRAME, "size": 1, "forces": None, "mesh": None}}
        graph = {"attributes": {}, "default_node_attributes": {"block": None, "is_support": False}, "default_edge_attributes": {"interfaces": None},
                 "node": {"7": {"block": self.block((0, 0, 1)), "colour": "red"}, "'base'": {"block": self.block((0, 0, 0)), "is_support": True}},
                 "edge": {"'base'": {"7": {"interfaces": [interface]}}}, "adjacency": {}, "max_node": 7}
        return {"dtype": "compas_assembly.datastructures/Assembly", "data": {"attributes": {"name": "mine"}, "graph": {"dtype": "compas.datastructures/Graph", "data": graph}}}

    def write_and_read(self, source, *options):
        out = self.path("out.json")
        code, text, err = run("check", source, "--write-compas", out, "--quiet", "--json", "-", *options)
        with open(out) as f:
            return code, json.loads(text), json.load(f), out

    def interface(self, doc, a, b):
        faces = doc["data"]["graph"]["data"]["edge"][a][b]["interfaces"]
        self.assertEqual(len(faces), 1)
        return faces[0]["data"]

    def check_balance(self, face, weight):
        """Forces in the axes of the frame, acting on the second block, carry the weight."""
        x, y = face["frame"]["data"]["xaxis"], face["frame"]["data"]["yaxis"]
        z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
        total = [sum((f["c_np"] - f["c_nn"]) * n + f["c_u"] * u + f["c_v"] * v for f in face["forces"]) for n, u, v in zip(z, x, y)]
        for got, want in zip(total, (0, 0, weight)):
            self.assertAlmostEqual(got, want, places=4)

    def test_a_compas_file_keeps_what_it_held_and_gets_forces(self):
        doc = self.compas([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
        code, result, out, path = self.write_and_read(self.write("in.json", doc), "--density", "1000")
        self.assertEqual((code, result["verdict"]), (0, "stands"))
        self.assertEqual(out["data"]["graph"]["data"]["node"]["7"]["block"], doc["data"]["graph"]["data"]["node"]["7"]["block"])
        self.assertEqual(out["data"]["attributes"], {"name": "mine", "unit": "m", "force_unit": "N"})
        self.assertEqual(out["data"]["graph"]["data"]["adjacency"], {"7": {"'base'": None}, "'base'": {"7": None}})
        face = self.interface(out, "'base'", "7")
        self.assertEqual(set(face), {"points", "size", "frame", "forces", "mesh"})
        self.check_balance(face, 1000 * 9.80665)
        again = json.loads(run("check", path, "--quiet", "--json", "-")[1])
        self.assertEqual((again["verdict"], len(again["interfaces"])), ("stands", 1))

    def test_a_polygon_given_clockwise_keeps_the_order_of_the_file(self):
        points = [[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [1, 0, 1]]  # clockwise, one corner twice
        code, result, out, path = self.write_and_read(self.write("in.json", self.compas(points)), "--density", "1000")
        face = self.interface(out, "'base'", "7")
        self.assertEqual(face["points"], points)
        self.assertEqual(len(face["forces"]), len(points))
        self.check_balance(face, 1000 * 9.80665)
        by_point = {}
        for p, f in zip(face["points"], face["forces"]):
            by_point[tuple(p)] = by_point.get(tuple(p), 0) + f["c_np"]
        for p, f in zip(result["interfaces"][0]["vertices_m"], result["interfaces"][0]["forces_N"]):
            self.assertAlmostEqual(by_point[tuple(p)], f[0], places=6)

    def test_lengths_stay_in_the_unit_of_the_file(self):
        points = [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
        out = self.write_and_read(self.write("in.json", self.compas(points)), "--unit", "cm", "--density", "1e6")[2]
        face = self.interface(out, "'base'", "7")
        self.assertEqual((face["points"], out["data"]["attributes"]["unit"]), (points, "cm"))
        self.assertAlmostEqual(face["size"], 1)
        self.check_balance(face, 1e6 * 1e-6 * 9.80665)

    def test_any_other_input_becomes_a_compas_assembly(self):
        code, result, out, path = self.write_and_read(self.write("in.json", stack()))
        graph = out["data"]["graph"]["data"]
        self.assertEqual((out["dtype"], out["data"]["graph"]["dtype"]), ("compas_assembly.datastructures/Assembly", "compas.datastructures/Graph"))
        self.assertEqual(list(graph["node"]), ["'ground'", "'low'", "'high'"])
        self.assertEqual([n["is_support"] for n in graph["node"].values()], [True, False, False])
        self.check_balance(self.interface(out, "'low'", "'high'"), 2000 * 9.80665)
        again = json.loads(run("check", path, "--quiet", "--json", "-", "--density", "2000", "--friction", "0.6")[1])
        self.assertEqual([b["id"] for b in again["blocks"]], ["ground", "high", "low"])
        self.assertEqual(again["verdict"], "stands")

    def test_where_it_falls_there_are_no_forces(self):
        doc = stack()
        doc["blocks"].append(box("far", (2.4, 0, 0.5)))
        code, result, out, path = self.write_and_read(self.write("in.json", doc))
        self.assertEqual(code, 1)
        self.assertIsNone(self.interface(out, "'low'", "'high'")["forces"])

    def test_the_input_and_old_files_are_safe(self):
        source = self.write("in.json", stack())
        self.assertEqual(run("check", source, "--write-compas", source, "--force", "--quiet")[0], 74)
        old = self.write("old.json", "{}")
        self.assertEqual(run("check", source, "--write-compas", old, "--quiet")[0], 74)
        with open(old) as f:
            self.assertEqual(f.read(), "{}")
        self.assertEqual(run("check", source, "--write-compas", old, "--force", "--quiet")[0], 0)


def obj(*shift, faces=FACES, vertices=CUBE):
    lines = ["v " + " ".join(str(c + s) for c, s in zip(v, shift or (0, 0, 0))) for v in vertices]
    return "\n".join(lines + ["f " + " ".join(str(v + 1) for v in f) for f in faces]) + "\n"


def with_block(**changes):
    doc = stack()
    doc["blocks"][2].update(changes)
    return doc


def with_interface(*faces):
    return {**stack(), "interfaces": [{"a": "ground", "b": "low", "polygon": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]},
                                      {"a": "low", "b": "high", "polygon": [[0.2, 0, 1], [1, 0, 1], [1, 1, 1], [0.2, 1, 1]]}, *faces]}


def text_of(doc, old, new):
    text = json.dumps(doc)
    assert old in text
    return text.replace(old, new, 1)


class BadInputs(InFolder):
    """What users bring that is wrong, by the number of the catalogue of bad inputs: refused with exit 65 and these words, or taken with them as a warning."""

    def refused(self, number, source, *words):
        code, out, err = run("check", source, "--json", "-")
        self.assertEqual(code, 65, (number, err))
        self.assertEqual(out, "", number)
        for word in words:
            self.assertIn(word, err, number)

    def taken(self, number, source, code, *words):
        got, out, err = run("check", source, "--json", "-")
        self.assertEqual(got, code, (number, err))
        told = " ".join(w["what"] for w in json.loads(out)["warnings"])
        for word in words:
            self.assertIn(word, told, number)

    def test_numbers(self):
        refused = [
            (24, text_of(stack(), "[0.2, 0, 1]", "[NaN, 0, 1]"), "in.json:1:", "is no JSON number"), (25, with_block(vertices=[[1e10, 0, 0], *CUBE[1:]]), '"high"', "the limit is"),
            (26, text_of(stack(), "[0.2, 0, 1]", "[1e400, 0, 1]"), "in.json:1:"), (27, text_of(stack(), "[0.2, 0, 1]", "[0,2, 0, 1]"), "decimal points, not commas"),
            (30, with_block(density=0), "density must be a number > 0"), (31, with_block(density=-5), "density must be a number > 0"),
            (41, {**stack(), "gravity": ["nan", 0, 0]}, "/gravity"), (42, {**stack(), "friction": -0.3}, "friction must be a number >= 0"),
            (47, {**stack(), "density": 0}, "density must be a number > 0")]
        for number, doc, *words in refused:
            self.refused(number, self.write("in.json", doc), *words)
        big = {**stack(), "blocks": [{**b, "vertices": [[1000 * c for c in v] for v in b["vertices"]]} for b in stack()["blocks"]]}
        light = stack()
        light["blocks"].append(box("mote", (5, 0, 0), (1e-5, 1e-5, 1e-5)))
        light["blocks"][3]["density"] = 1000
        taken = [
            (42, {**stack(), "friction": 12}, 0, "friction 12 is above 10"), (43, {**stack(), "friction": 0}, 0, "frictionless"),
            (44, light, 1, "times as heavy as the lightest"), (45, big, 0, "--unit mm?"), (47, {**stack(), "density": 1e-3}, 0, "outside 100 to 25000"),
            (47, {**stack(), "density": 1e6}, 0, "outside 100 to 25000")]
        for number, doc, code, *words in taken:
            self.taken(number, self.write("in.json", doc), code, *words)

    def test_models(self):
        twice = stack()
        twice["blocks"].append(box("low", (5, 0, 0)))
        self.refused(48, self.write("in.json", twice), '"low"', "is used before, at", "/blocks/1")
        self.refused(49, self.write("in.json", with_interface({"a": "lov", "b": "high", "polygon": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]})), 'did you mean "low"?')
        self.refused(59, self.write("in.json", {"blocks": []}), "there are no blocks")
        lonely = stack()
        lonely["blocks"].append(box("lonely", (9, 9, 9)))
        code, out, err = self.check(lonely)
        self.assertEqual((code, out["verdict"]), (1, "falls"))
        self.assertIn("lonely", run("check", self.path("in.json"))[1])
        free = stack()
        del free["blocks"][0]["fixed"]
        self.taken(60, self.write("in.json", free), 0, "no supports given: the lowest blocks")
        self.taken(60, self.write("in.json", {**stack(), "blocks": [{**b, "fixed": True} for b in stack()["blocks"]]}), 0, "all blocks are supports")
        again = {"a": "ground", "b": "low", "polygon": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]}
        self.taken(61, self.write("in.json", with_interface(again)), 0, "interface is listed twice")
        self.refused(61, self.write("in.json", with_interface({**again, "a": "low"})), "interface with itself")
        turned = with_interface()
        turned["interfaces"][0]["normal"] = [0, 0, -1]
        self.taken(61, self.write("in.json", turned), 0, "normal pointed from b into a; turned")

    def test_meshes(self):
        sheet = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        refused = [
            (62, obj(faces=[*FACES[:5], [3, 0, 4, 9]]), "in.obj:", "vertex index 10 is out of range"), (62, obj().replace("f 4 3", "f 0 3"), "indices count from 1"),
            (62, obj().replace("f 4 3", "f 100000000000000 3"), "out of range"), (64, obj().replace("v 1 0 0", "v 1 nan 0"), "in.obj:2:5", "is not finite"),
            (67, obj(faces=FACES[:5]), "mesh is open: 4 boundary edges"), (67, obj(vertices=[*CUBE[:6], CUBE[7], CUBE[6]]), "itself")]
        for number, text, *words in refused:
            self.refused(number, self.write("in.obj", text), *words)
        flat = {"friction": 1, "density": 1, "blocks": [box("g", (0, 0, -1), fixed=True), {"id": "sheet", "vertices": sheet, "faces": [[0, 1, 2, 3]]}]}
        self.refused(65, self.write("in.json", flat), '"sheet" is flat')
        point = with_block(vertices=[[1, 1, 1]] * 8)
        self.refused(68, self.write("in.json", point), '"high"', "no face with an area")
        overlap = with_block(vertices=[*CUBE, *[[c + 0.5 for c in v] for v in CUBE]], faces=[*FACES, *[[v + 8 for v in f] for f in FACES]])
        self.refused(67, self.write("in.json", overlap), "passes through itself")
        taken = [
            (66, with_block(faces=[f[::-1] for f in FACES]), 0, "faces wind inwards: 6 of 6 faces turned"),
            (66, with_block(faces=[FACES[0][::-1], *FACES[1:]]), 0, "faces wind both ways"), (67, with_block(faces=[*FACES, FACES[2]]), 0, "1 face listed twice"),
            (68, with_block(faces=[*FACES, [0, 1, 1]]), 0, "fewer than 3 different corners")]
        for number, doc, code, *words in taken:
            self.taken(number, self.write("in.json", doc), code, *words)

    def test_mesh_files(self):
        header = b"solid made by a program".ljust(80)
        self.refused(70, self.write_bytes("a.stl", header + (1000000).to_bytes(4, "little") + bytes(50)), "holds 1000000 triangles and has room for 1")
        self.refused(70, self.write_bytes("b.stl", header + (1).to_bytes(4, "little") + bytes(49)), "cut off")
        self.refused(71, self.write("a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n0\n"), "no room")
        self.refused(71, self.write("a.gltf", {"asset": {"version": "2.0"}, "nodes": [], "meshes": [], "buffers": [{"byteLength": 1e11, "uri": "data:;base64,AAAA"}]}),
                     "100000000000 bytes and has 3")
        self.refused(3, self.write_bytes("a.glb", b"\x89PNG\r\n\x1a\n"), "is a PNG image")
        self.refused(3, self.write("b.stl", "<!doctype html><p>not found"), "is an HTML page")

    def write_bytes(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def test_json(self):
        good = json.dumps(stack())
        for text, word in ((good[:-1] + ",}", "1:"), ("// no\n" + good, "1:1"), ('{"units": "m", ' + good[1:], '"units"'), ("[" * 200000, "256"),
                           (json.dumps({**stack(), "schema": "trilith.assembly/99"}), "made by a newer version"),
                           (json.dumps({"dtype": "compas.geometry/Line", "data": {}}), 'a COMPAS "compas.geometry/Line", not an assembly')):
            self.refused(73, self.write("in.json", text), word)


class Formats(InFolder):
    """The same two stones from every kind of file."""

    def solid(self, name, shift=(0, 0, 0)):
        triangles = [t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))]
        facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % tuple(p + s for p, s in zip(CUBE[v], shift)) for v in t) + "endloop\nendfacet\n"
                         for t in triangles)
        return f"solid {name}\n{facets}endsolid {name}\n"

    def stones(self, source, *options):
        code, out, err = run("check", source, "--json", "-", "--fixed", "base", *options)
        self.assertEqual(code, 0, err)
        out = json.loads(out)
        self.assertEqual([(b["id"], b["fixed"], round(b["volume_m3"], 9)) for b in out["blocks"]], [("base", True, 1), ("stone", False, 1)])
        self.assertEqual(len(out["interfaces"]), 1)
        self.assertAlmostEqual(out["interfaces"][0]["area_m2"], 1)

    def test_an_stl_with_two_solids(self):
        self.stones(self.write("w.stl", self.solid("base") + self.solid("stone", (0, 0, 1))))

    def test_a_folder_of_meshes(self):
        os.mkdir(self.path("wall"))
        self.write("wall/stone.stl", self.solid("x", (0, 0, 1)))
        self.write("wall/base.obj", obj())
        self.stones(self.path("wall"))

    def test_units_scale_what_has_none(self):
        self.write("w.stl", self.solid("base") + self.solid("stone", (0, 0, 1)))
        code, out, err = run("check", self.path("w.stl"), "--unit", "cm", "--fixed", "base", "--json", "-")
        self.assertAlmostEqual(json.loads(out)["blocks"][0]["volume_m3"], 1e-6)

    def test_assemblies_name_them(self):
        self.write("w.stl", self.solid("b") + self.solid("s", (0, 0, 1)))
        self.stones(self.write("in.json", {"blocks": [{"id": "base", "mesh": "w.stl#b"}, {"id": "stone", "mesh": "w.stl#s"}]}))


if __name__ == "__main__":
    unittest.main(verbosity=1)

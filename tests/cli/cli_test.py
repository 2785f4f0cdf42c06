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
        for args in (["--help"], ["--version"], ["check", "--help"], ["verify", "--help"], ["generate", "--help"]):
            code, out, err = run(*args)
            self.assertEqual((code, err), (0, ""), args)
            self.assertTrue(out)

    def test_help_shows_an_example(self):
        for command in ("check", "verify", "generate"):
            self.assertIn("Example:", run(command, "--help")[1])

    def test_wrong_words_are_usage_errors(self):
        for args in ([], ["chek"], ["check"], ["check", "a.json", "--nosuch"], ["check", "a.json", "--friction", "x"], ["check", "a.json", "--friction", "nan"],
                     ["check", "a.json", "--gravity", "1,2"], ["check", "a.json", "--solver", "osqp"], ["check", "a.json", "--threads", "0"],
                     ["check", "a.json", "--unit", "furlong"], ["check", "a.json", "--tolerance", "-1"], ["check", "a.json", "--time-limit", "-1"]):
            code, out, err = run(*args)
            self.assertEqual(code, 64, args)
            self.assertTrue(err or not args, args)

    def test_a_mistyped_command_gets_a_suggestion(self):
        self.assertIn("did you mean check", run("chekc")[2])


class Check(InFolder):
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
        self.assertNotIn("rbe", out)
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
        self.assertLess(time.time() - start, 1.5)
        self.assertIn((code, out["verdict"]), ((2, "undecided"),))
        self.assertEqual(out["solver"]["status"], "time_limit")


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
        self.assertEqual(run("check", path, "--certificate", keep)[0], 74)
        self.assertEqual(open(keep).read(), "precious")
        self.assertEqual(run("check", path, "--certificate", keep, "--force")[0], 0)
        self.assertEqual([f for f in os.listdir(self.folder.name) if f not in ("in.json", "keep.json")], [])

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
            self.assertIn("trilith generate " + kind, out)
        self.assertIn("(.15)", run("generate", "arch", "--help")[1])

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


if __name__ == "__main__":
    unittest.main(verbosity=1)
